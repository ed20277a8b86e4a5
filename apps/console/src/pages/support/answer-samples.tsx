import { listSamples, markSample, type ResultOf } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Chips } from '../../parts/chips.tsx';
import { TextArea } from '../../parts/field.tsx';
import { DueClock, Tag } from '../../parts/parts.tsx';
import { ReadGate, RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { routeHash } from '../../route.ts';
import { useAct } from '../../use-act.ts';
import { useSupportTexts } from './texts.ts';

const TABS = ['waiting', 'reported'] as const;
type Item = ResultOf<typeof listSamples>['items'][number];

/** Messages from operators to customers, for review by another operator. */
export function AnswerSamples() {
  const { say } = useSupportTexts();
  const [status, setStatus] = useState<(typeof TABS)[number]>('waiting');
  const query = useLiveRead(listSamples, { status });
  return (
    <div className="page">
      <section className="card bd col">
        <p className="c">{say('samples_about')}</p>
        <div className="row">
          <Chips values={TABS} value={status} onChange={setStatus} label={(one) => say(`samples_${one}`)} />
        </div>
        <ReadGate query={query}>
          {({ items, counts }) => (
            <>
              {counts.late > 0 && <p className="da b">{say('samples_late', { count: counts.late })}</p>}
              {items.length === 0 && <p className="empty">{say('samples_none')}</p>}
              <ul className="plain col">
                {items.map((item) => (
                  <Sample key={item.id} item={item} />
                ))}
              </ul>
            </>
          )}
        </ReadGate>
      </section>
    </div>
  );
}

function Sample({ item }: { item: Item }) {
  const { dateTime } = useTexts();
  const { say, word } = useSupportTexts();
  const mark = useAct(markSample);
  const [isReporting, setReporting] = useState(false);
  const [note, setNote] = useState('');
  const { id, customer, by, why, text, at, due_at: due, read_by: reader } = item;
  const decide = (verdict: 'seen' | 'reported') => mark.run({ id, verdict, ...(verdict === 'reported' && { note }) });
  return (
    <li className="line col">
      <span className="row sp">
        <span>
          {customer ? (
            <a href={routeHash('customers', customer.id)}>
              <bdi>{customer.username}</bdi>
            </a>
          ) : (
            say('visitor')
          )}{' '}
          <span className="c">{say('sample_by', { name: by.work_name })}</span> <Tag>{word('sample_why', why)}</Tag>
        </span>
        {reader ? <span className="c">{dateTime(at)}</span> : <DueClock due={due} from={at} />}
      </span>
      <bdi className="b">{text}</bdi>
      {reader && (
        <span className="da">
          <bdi>{reader.work_name}</bdi>: <bdi>{item.note}</bdi>
        </span>
      )}
      {!reader && item.is_own && <span className="c">{say('sample_own')}</span>}
      {!reader && !item.is_own && (
        <span className="row">
          <Button size="small" look="soft" busy={mark.isBusy} onClick={() => void decide('seen')}>
            {say('sample_seen')}
          </Button>
          <Button size="small" look="danger" onClick={() => setReporting(true)}>
            {say('sample_report')}
          </Button>
        </span>
      )}
      {isReporting && !reader && (
        <>
          <TextArea
            label={say('sample_note')}
            value={note}
            onChange={({ target }) => setNote(target.value)}
            fault={mark.refused?.fields.note}
          />
          <Button size="small" look="danger" busy={mark.isBusy} onClick={() => void decide('reported')}>
            {say('sample_report')}
          </Button>
        </>
      )}
      <RefusalNote refused={mark.refused} />
    </li>
  );
}
