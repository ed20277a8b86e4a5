import {
  CORRECTION_CASES,
  CORRECTION_KINDS,
  type CORRECTION_REASONS,
  listCorrections,
  makeCorrection,
  previewCorrection,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { Clock, CustomerSees, Tag } from '../../parts/parts.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Loaded, Refusal } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goTo, hashOf, useRoute } from '../../route.ts';
import { refusedOf, useAct } from '../../use-act.ts';
import './corrections.css';
import { BookChecks, Legs } from './parts.tsx';
import { useBookTexts } from './texts.ts';

type Kind = (typeof CORRECTION_KINDS)[number];
const REASONS: Readonly<Record<Kind, readonly (typeof CORRECTION_REASONS)[number][]>> = {
  refund: ['charged_twice', 'fee_wrong', 'settlement_fault', 'deposit_lost'],
  goodwill: ['goodwill'],
  reverse: ['credited_wrongly', 'settlement_fault', 'reorg'],
};

/** The request; empty fields are left out. */
function requestOf(fields: Readonly<Record<string, string>>) {
  const kind = CORRECTION_KINDS.find((one) => one === fields.kind) ?? 'refund';
  const isAboutError = kind !== 'goodwill';
  const wanted = {
    amount: fields.amount,
    house: isAboutError ? fields.house : undefined,
    transfer: isAboutError ? fields.transfer : undefined,
    deposit: kind === 'refund' && !fields.transfer ? fields.deposit : undefined,
  };
  return {
    kind,
    customer: fields.customer?.trim() ?? '',
    reason: REASONS[kind].find((one) => one === fields.reason) ?? REASONS[kind][0] ?? 'goodwill',
    case_kind: CORRECTION_CASES.find((one) => one === fields.case_kind) ?? 'dispute',
    case_id: fields.case_id?.trim() ?? '',
    ...Object.fromEntries(
      Object.entries(wanted).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
    ),
  };
}

/** The form. Links from a journal or a dispute fill it in through the address. */
export function NewCorrection() {
  const { t } = useTexts();
  const { b, word } = useBookTexts();
  const { filter } = useRoute();
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({ kind: 'refund', ...filter });
  // The preview follows when a field is left, so that not every keystroke asks the server.
  const [asked, setAsked] = useState(fields);
  const make = useAct(makeCorrection);
  const request = requestOf(fields);
  const wanted = requestOf(asked);
  const { kind } = request;
  const isReady =
    wanted.customer !== '' &&
    wanted.case_id !== '' &&
    (wanted.kind === 'goodwill' ? 'amount' in wanted : 'transfer' in wanted || 'deposit' in wanted);
  const preview = useRead(previewCorrection, wanted, { enabled: isReady, tries: 1 });
  const against = isReady && preview.error ? refusedOf(preview.error.failure) : null;
  const shown = isReady && !preview.error ? preview.data : undefined;
  const faults = { ...against?.fields, ...make.refused?.fields };
  const set = (name: string, value: string, isWhole = false) => {
    const next = { ...fields, [name]: value };
    setFields(next);
    if (isWhole) setAsked(next);
  };
  const field = (name: string, label: string, placeholder?: string) => (
    <Field
      label={label}
      value={fields[name] ?? ''}
      fault={faults[name]}
      {...(placeholder !== undefined && { placeholder })}
      onChange={({ target }) => set(name, target.value)}
    />
  );
  return (
    <div className="page two">
      <form
        className="card split"
        onBlur={() => setAsked(fields)}
        onSubmit={async (event) => {
          event.preventDefault();
          const made = await make.run({ ...request, words: fields.words ?? '' });
          if (made.ok) goTo('corrections', made.data.id, { tab: 'waiting' });
        }}
      >
        <div className="hd line wrap">
          <h2>{b('draft')}</h2>
          <Tag look="brand">{b('needs_second')}</Tag>
          <span className="r c">{b('never_sets')}</span>
        </div>
        <Scroll look="bd col" label={b('draft')}>
          <div className="correction-kinds" role="radiogroup" aria-label={b('draft')}>
            {CORRECTION_KINDS.map((one) => (
              <label key={one} className="correction-kind" data-on={one === kind ? '' : undefined}>
                <input type="radio" name="kind" checked={one === kind} onChange={() => set('kind', one, true)} />
                <b>{word('kind', one)}</b>
                <span>{b(`kind.${one}.lead`)}</span>
              </label>
            ))}
          </div>
          <div className="correction-fields">
            {field('customer', b('field.customer'))}
            {kind !== 'goodwill' && field('transfer', b('field.transfer'))}
            {kind === 'refund' && !fields.transfer && field('deposit', b('field.deposit'))}
            <Select
              label={b('field.case_kind')}
              value={request.case_kind}
              options={CORRECTION_CASES.map((one) => [one, word('case', one)] as const)}
              onChange={({ target }) => set('case_kind', target.value, true)}
            />
            {field('case_id', b('field.case_id'))}
            {kind !== 'goodwill' && (
              <Select
                label={b(`field.house.${kind}`)}
                value={fields.house ?? ''}
                options={[
                  ['', b('house.own')],
                  ['house_capital', word('account', 'house_capital')],
                ]}
                onChange={({ target }) => set('house', target.value, true)}
              />
            )}
            {field('amount', b('field.amount'), kind === 'goodwill' ? undefined : b('field.amount.all'))}
            <Select
              label={b('field.reason')}
              value={request.reason}
              options={REASONS[kind].map((one) => [one, word('why', one)] as const)}
              onChange={({ target }) => set('reason', target.value, true)}
            />
          </div>
          <TextArea
            label={b('field.words')}
            value={fields.words ?? ''}
            dir="auto"
            maxLength={1000}
            fault={make.refused?.fields.words}
            onChange={({ target }) => set('words', target.value)}
          />
          <Refusal refused={make.refused ?? against} />
          {shown ? (
            <>
              <Legs legs={shown.legs} isPosted={false} />
              <BookChecks checks={shown.checks} />
            </>
          ) : (
            !against && <p className="note">{b('fill')}</p>
          )}
        </Scroll>
        <div className="foot wrap">
          <span className="c grow">
            {shown && b('can_check', { roles: shown.roles.map((role) => t(`role.${role as 'admin'}`)).join(', ') })}
          </span>
          <Button type="submit" size="small" busy={make.isBusy} disabled={!shown || !fields.words?.trim()}>
            {b('send')}
          </Button>
        </div>
      </form>
      <Beside view={shown?.customer_view ?? null} />
    </div>
  );
}

function Beside({ view }: { view: string | null }) {
  const { dateTime, amount } = useTexts();
  const { b, word } = useBookTexts();
  const waiting = useRead(listCorrections, { tab: 'waiting' }, { everyMs: 10_000 });
  const posted = useRead(listCorrections, { tab: 'posted' }, { everyMs: 30_000 });
  return (
    <div className="col correction-beside">
      {view !== null && (
        <section className="card bd col">
          <CustomerSees>{view}</CustomerSees>
          <p className="c">{b('where_seen')}</p>
        </section>
      )}
      <section className="card">
        <div className="hd">
          <h2>{b('waiting_list')}</h2>
        </div>
        <Loaded query={waiting} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="bd c">{b('none.waiting')}</p>
            ) : (
              <div className="list">
                {items.slice(0, 6).map((item) => (
                  <a key={item.id} href={hashOf('corrections', item.id, { tab: 'waiting' })}>
                    <span className="row sp">
                      <b className="mono">{item.number}</b>
                      <Clock due={item.expires_at} from={item.made_at} />
                    </span>
                    <span className="c">
                      {word('kind', item.kind)} {amount(item.amount)} {item.asset} · <bdi>{item.customer.username}</bdi>{' '}
                      · {b('made_by', { name: item.made_by.work_name })}
                    </span>
                  </a>
                ))}
              </div>
            )
          }
        </Loaded>
      </section>
      <section className="card">
        <Loaded query={posted} rows={2}>
          {({ items, sums }) => (
            <>
              <div className="hd">
                <h2>{b('posted_90')}</h2>
                <span className="r c">
                  {sums
                    .map(
                      ({ kind, count, amount: sum, asset }) =>
                        `${word('kind', kind)} ${b('sum', { count, amount: amount(sum), asset })}`,
                    )
                    .join(', ')}
                </span>
              </div>
              <table className="s">
                <tbody>
                  {items.slice(0, 8).map((item) => (
                    <tr key={item.id}>
                      <td className="mono">
                        <a href={hashOf('corrections', item.id, { tab: 'posted' })}>{item.number}</a>
                      </td>
                      <td>{word('kind', item.kind)}</td>
                      <td className="num b">{amount(item.moved ?? item.amount)}</td>
                      <td className="c">{item.ended_at && dateTime(item.ended_at)}</td>
                      <td className="c">
                        {item.made_by.work_name}, {item.checked_by}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {items.length === 0 && <p className="bd c">{b('none.posted')}</p>}
            </>
          )}
        </Loaded>
      </section>
    </div>
  );
}
