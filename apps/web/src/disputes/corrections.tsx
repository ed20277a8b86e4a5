import { listOwnCorrections, type OwnCorrection } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Badge, Card, EmptyState, FactList, Money, useText } from '@sathorn/ui';
import { DisputeTexts } from '../parts/disputes/dispute-texts.tsx';
import { LateDispute } from '../parts/disputes/late-dispute.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import './disputes.css';

const TONES = { done: 'success', announced: 'warn', stopped: 'plain' } as const;
const MARKS = { done: 'check', announced: 'clock', stopped: 'cross' } as const;

/** `#/pages/mine/corrections`: corrections of the balance; with `id`, one of them by its own id or by its posting's. */
export default function Corrections() {
  return (
    <DisputeTexts>
      <Body />
    </DisputeTexts>
  );
}

function Body() {
  const { t } = useText<'disputes'>();
  const { query } = useNavigation();
  const id = query.get('id');
  const list = useReadPages(listOwnCorrections, id ? { id } : {}, { freshForMs: 5_000 });
  const corrections = rowsOfPages(list.data);
  return (
    <>
      <PageBar title={t('corrections.title')} />
      <div className="page">
        <p className="disputes-lead">{t('corrections.lead')}</p>
        {corrections.length > 0 ? (
          <>
            {corrections.map((correction) => (
              <Correction key={correction.id} correction={correction} />
            ))}
            <ListEnd list={list} />
          </>
        ) : (
          <Card>
            <NoRows
              list={list}
              failed={t('corrections.failed')}
              none={
                <EmptyState picture="shield" title={t('corrections.none')}>
                  {t('corrections.none_lead')}
                </EmptyState>
              }
              rows={3}
            />
          </Card>
        )}
      </div>
    </>
  );
}

function Correction({ correction }: { correction: OwnCorrection }) {
  const { t, presentation } = useText<'disputes'>();
  const { id, number, kind, asset, amount, reason, status, at, wrong, people } = correction;
  const when = (time: string) => formatDate(time, 'dateTime', presentation);
  return (
    <Card className="dispute">
      <div className="row">
        <span className="mono">{number}</span>
        <Badge tone={TONES[status]} mark={MARKS[status]}>
          {t(`corrections.status.${status}`)}
        </Badge>
      </div>
      <div>
        <p className="muted">{t(`corrections.kind.${kind}`)}</p>
        <p className="correction-amount">
          <Money amount={amount} asset={asset} exact signed />
        </p>
      </div>
      <FactList
        facts={[
          { name: t('corrections.reason_name'), value: t(`corrections.reason.${reason}`) },
          { name: t(status === 'announced' ? 'corrections.takes_at' : 'corrections.at'), value: when(at) },
          ...(wrong
            ? [
                {
                  name: t('corrections.wrong'),
                  value: (
                    <>
                      <Money amount={wrong.amount} asset={asset} exact /> · {when(wrong.at)}
                    </>
                  ),
                },
                {
                  name: t('corrections.reference'),
                  value: (
                    <bdi className="mono dispute-order">{`${wrong.reference.slice(0, 8)}…${wrong.reference.slice(-6)}`}</bdi>
                  ),
                },
              ]
            : []),
          { name: t('corrections.by'), value: people.join(', ') },
        ]}
      />
      <LateDispute kind="correction" id={id} />
    </Card>
  );
}
