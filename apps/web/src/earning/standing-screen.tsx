import { listStanding, listStandingRuns, revokeStanding, type Standing, type StandingRun } from '@sathorn/api';
import { failureText, readQueryKey, rowsOfPages, useCall, useRead, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatCount, formatDate, formatPercent } from '@sathorn/text';
import { Badge, Button, Card, CardHead, Confirm, FactList, ListRow, Money, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { LateNotes } from '../parts/offer/late-notes.tsx';
import { NotLoaded, PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { DepositsForm } from './deposits-form.tsx';
import { whyKey } from './standing-figures.ts';
import { StandingTexts } from './standing-texts.tsx';

/** `#/pages/Lock-up/standing`: deposits that are subscribed when they are credited. */
export default function StandingScreen() {
  return (
    <StandingTexts>
      <Deposits />
    </StandingTexts>
  );
}

function Deposits() {
  const { t } = useText<'standing'>();
  const list = useRead(listStanding, { kind: 'deposits' }, { freshForMs: 0, everyMs: 30_000 });
  const newest = list.data?.items[0];
  const active = list.data?.items.find(({ status }) => status === 'active');
  return (
    <>
      <PageBar title={t('standing.deposits')} />
      {!list.data ? (
        <PageNotLoaded read={list} failed={t('standing.not_loaded')} />
      ) : (
        <div className="page">
          {active ? (
            <Active key={active.id} item={active} />
          ) : (
            <>
              <LateNotes pauses={[]} changes={[]} consent="earning" />
              <Card>
                <DepositsForm />
              </Card>
            </>
          )}
          {newest && <Runs key={newest.id} id={newest.id} />}
        </div>
      )}
    </>
  );
}

function Active({ item }: { item: Standing }) {
  const texts = useText();
  const { t, presentation } = useText<'standing'>();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const stop = useCall(revokeStanding, { quiet: true, withoutOverlay: true });
  const end = async () => {
    const answer = await stop.submit({ id: item.id });
    void queries.invalidateQueries({ queryKey: readQueryKey(listStanding) });
    setAsking(false);
    if (answer.ok) showToast(t('standing.stopped'), 'success');
    else if (answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
  };
  const count = (value: number) => formatCount(value, presentation);
  return (
    <>
      <Card>
        <CardHead
          title={
            item.product === null
              ? t('standing.into_liquidity')
              : t('standing.into_lockup', { days: Number(item.product) })
          }
          trail={<Badge tone="success">{t('standing.deposits_on')}</Badge>}
        />
        <p className="cap">{t('standing.deposits_note')}</p>
      </Card>
      <FactList
        facts={[
          { name: t('standing.amount_min'), value: <Money amount={item.amount_min ?? '0'} asset="USDT" /> },
          { name: t('standing.amount_max'), value: <Money amount={item.amount_max ?? '0'} asset="USDT" /> },
          ...(item.rate_min === null
            ? []
            : [
                {
                  name: t('standing.rate_min'),
                  value: formatPercent(item.rate_min, presentation, { minDecimals: 3 }),
                },
              ]),
          { name: t('standing.done'), value: count(item.done) },
          ...(item.skipped === 0 ? [] : [{ name: t('standing.skipped'), value: count(item.skipped) }]),
          { name: t('standing.made'), value: formatDate(item.created_at, 'dateTime', presentation) },
        ]}
      />
      <LateOrderMark id={item.id} />
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('standing.stop')}
      </Button>
      <Confirm
        open={isAsking}
        danger
        busy={stop.isBusy}
        title={t('standing.stop_ask')}
        confirmLabel={t('standing.stop')}
        cancelLabel={t('standing.keep')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void end()}
      >
        {t('standing.stop_note')}
      </Confirm>
    </>
  );
}

function Runs({ id }: { id: string }) {
  const { t } = useText<'standing'>();
  const list = useReadPages(listStandingRuns, { id }, { freshForMs: 0, everyMs: 30_000 });
  const runs = list.data && rowsOfPages(list.data);
  return (
    <Card>
      <CardHead title={t('standing.history')} />
      {!runs ? (
        <NotLoaded read={list} rows={3} />
      ) : runs.length === 0 ? (
        <p className="cap">{t('standing.history_none')}</p>
      ) : (
        <>
          {runs.map((run) => (
            <Run key={run.number} run={run} />
          ))}
          <ListEnd list={list} />
        </>
      )}
    </Card>
  );
}

function Run({ run }: { run: StandingRun }) {
  const { t, presentation } = useText<'standing'>();
  const { navigate } = useNavigation();
  const { source } = run;
  return (
    <ListRow
      title={run.refusal === null ? t('standing.run_done') : t('standing.skipped')}
      note={
        <>
          {run.refusal !== null && (
            <>
              {t(whyKey(run.refusal))}
              <br />
            </>
          )}
          {formatDate(run.at, 'dateTime', presentation)}
        </>
      }
      value={
        <b>
          <Money amount={run.amount} asset="USDT" />
        </b>
      }
      onPress={() => navigate('/pages/Recharge/orderDetails', { id: source })}
    />
  );
}
