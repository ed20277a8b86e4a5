import {
  listRecurring,
  listRecurringExecutions,
  type Recurring,
  type RecurringExecution,
  readRecurring,
  revokeRecurring,
  switchRecurring,
} from '@sathorn/api';
import { failureText, readQueryKey, rowsOfPages, useCall, useRead, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { formatCount, formatDate } from '@sathorn/text';
import { Badge, Button, Card, CardHead, CoinMark, Confirm, ListRow, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { NotLoaded, PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { priceFigure } from './contract-figures.ts';
import { RECURRING_TONES, whenValues, whyKey } from './recurring-figures.ts';
import './order-details.css';

/** One regular purchase, what it bought and what it skipped. */
export function RecurringDetails({ id }: { id: string }) {
  const texts = useText();
  const { t } = useText<'recurring'>();
  const queries = useQueryClient();
  const read = useRead(readRecurring, { id }, { freshForMs: 0, everyMs: 30_000 });
  const flip = useCall(switchRecurring, { quiet: true, withoutOverlay: true });
  const end = useCall(revokeRecurring, { quiet: true, withoutOverlay: true });
  const [isEnding, setEnding] = useState(false);
  if (!read.data) return <PageNotLoaded read={read} failed={t('recurring.not_loaded')} />;
  const { status } = read.data;
  const take = async (act: ReturnType<typeof flip.submit>, done?: string) => {
    const answer = await act;
    if (!answer.ok && answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
    if (answer.ok && done !== undefined) showToast(done, 'success');
    for (const call of [readRecurring, listRecurring]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
  };
  return (
    <div className="page">
      <Facts item={read.data} />
      {(status === 'active' || status === 'paused') && (
        <>
          <Button
            look="soft"
            busy={flip.isBusy}
            onClick={() => void take(flip.submit({ id, on: status === 'paused' ? '1' : '0' }))}
          >
            {t(status === 'paused' ? 'recurring.resume' : 'recurring.pause')}
          </Button>
          <Button look="danger" onClick={() => setEnding(true)}>
            {t('recurring.end')}
          </Button>
        </>
      )}
      <Runs item={read.data} />
      <Confirm
        open={isEnding}
        danger
        busy={end.isBusy}
        title={t('recurring.end_ask')}
        confirmLabel={t('recurring.end')}
        cancelLabel={t('recurring.keep')}
        onCancel={() => setEnding(false)}
        onConfirm={() => void take(end.submit({ id }), t('recurring.ended')).then(() => setEnding(false))}
      >
        {t('recurring.end_note')}
      </Confirm>
    </div>
  );
}

const Figure = ({ children }: { children: ReactNode }) => (
  <b>
    <bdi>{children}</bdi>
  </b>
);

function Facts({ item }: { item: Recurring }) {
  const { t, presentation } = useText<'recurring'>();
  const { code, times, bought } = item;
  const count = (value: number) => formatCount(value, presentation);
  return (
    <>
      <Card className="order-hero">
        <p className="order-hero-title">
          <CoinMark code={code} />
          <b>{t('recurring.title', { coin: code })}</b>
          <Badge tone={RECURRING_TONES[item.status]}>{t(`recurring.status.${item.status}`)}</Badge>
        </p>
        <p>
          {t(`recurring.when.${item.every}`, whenValues(item, presentation))}
          <br />
          <span className="cap">{t('recurring.zone', { zone: item.time_zone })}</span>
        </p>
      </Card>
      <Card tight>
        {item.next_at && (
          <ListRow
            title={t('recurring.next')}
            value={<Figure>{formatDate(item.next_at, 'dateTime', presentation)}</Figure>}
          />
        )}
        <ListRow
          title={t('recurring.amount')}
          value={<Figure>{assetFigure('USDT', item.amount, presentation)}</Figure>}
        />
        {item.price_max && (
          <ListRow
            title={t('recurring.price_limit')}
            value={<Figure>{priceFigure(code, item.price_max, presentation)}</Figure>}
          />
        )}
        <ListRow
          title={t('recurring.bought')}
          value={
            <Figure>
              {times === null
                ? count(bought)
                : t('recurring.bought_of', { bought: count(bought), times: count(times) })}
            </Figure>
          }
        />
        {item.skipped > 0 && <ListRow title={t('recurring.skipped')} value={<Figure>{count(item.skipped)}</Figure>} />}
        {bought > 0 && (
          <>
            <ListRow
              title={t('recurring.spent')}
              value={<Figure>{assetFigure('USDT', item.spent, presentation)}</Figure>}
            />
            <ListRow
              title={t('recurring.received')}
              value={<Figure>{assetFigure(code, item.received, presentation)}</Figure>}
            />
            {item.average_price && (
              <ListRow
                title={t('recurring.average')}
                value={<Figure>{priceFigure(code, item.average_price, presentation)}</Figure>}
              />
            )}
          </>
        )}
        <ListRow title={t('recurring.made')} value={formatDate(item.created_at, 'dateTime', presentation)} />
      </Card>
      <LateOrderMark id={item.id} />
    </>
  );
}

function Runs({ item }: { item: Recurring }) {
  const { t } = useText<'recurring'>();
  const list = useReadPages(listRecurringExecutions, { id: item.id }, { freshForMs: 0, everyMs: 30_000 });
  const runs = list.data && rowsOfPages(list.data);
  return (
    <Card>
      <CardHead title={t('recurring.history')} />
      {!runs ? (
        <NotLoaded read={list} rows={3} />
      ) : runs.length === 0 ? (
        <p className="cap">{t('recurring.history_none')}</p>
      ) : (
        <>
          {runs.map((run) => (
            <Run key={run.number} code={item.code} run={run} />
          ))}
          <ListEnd list={list} />
        </>
      )}
    </Card>
  );
}

function Run({ code, run }: { code: string; run: RecurringExecution }) {
  const { t, presentation } = useText<'recurring'>();
  const { navigate } = useNavigation();
  const { order } = run;
  return (
    <ListRow
      title={
        order === null ? (
          t(whyKey(run))
        ) : (
          <bdi>
            {t('recurring.run.bought', {
              received: assetFigure(code, run.received ?? '0', presentation),
              spent: assetFigure('USDT', run.spent ?? '0', presentation),
            })}
          </bdi>
        )
      }
      note={formatDate(run.at, 'dateTime', presentation)}
      value={run.price === null ? undefined : priceFigure(code, run.price, presentation)}
      onPress={order === null ? undefined : () => navigate('/pages/contracts/orderDetails', { id: order })}
    />
  );
}
