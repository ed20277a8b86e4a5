import { type LockupOrder, listEarningOrders, type ResultOf } from '@sathorn/api';
import { failureText, rowsOfPages, useRead, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatPercent } from '@sathorn/text';
import { Badge, Card, EmptyState, FactList, ListRow, Money, Skeleton, useText } from '@sathorn/ui';
import { useState } from 'react';
import { useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { LateKeptLine } from '../parts/evidence/late-kept-line.tsx';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { amountText, dayText } from './figures.ts';
import { LateRenewal } from './late-standing.tsx';
import { LoadFailed, ShareBar } from './parts.tsx';
import { type IncomeReceiptId, ReceiptSheet } from './receipt-sheet.tsx';
import { useEarningRefresh } from './use-earning-refresh.ts';

/** `#/pages/Lock-up/record/record`: all orders; with `id`, one order with its daily income. */
export default function LockupRecords() {
  const { query } = useNavigation();
  const id = query.get('id');
  return <EarningTexts>{id === null ? <Orders /> : <Order key={id} id={id} />}</EarningTexts>;
}

function Orders() {
  const { t, presentation } = useText<'earning'>();
  const { navigate } = useNavigation();
  const isHidden = useAreAmountsHidden();
  useEarningRefresh();
  const list = useReadPages(listEarningOrders, { type: 'regular' }, { freshForMs: 0 });
  const orders = rowsOfPages(list.data).filter((one): one is LockupOrder => one.type === 'regular');
  return (
    <div className="page">
      {orders.length > 0 ? (
        <>
          {orders.map((order) => (
            <Card key={order.id} className="earning-order">
              <ListRow
                title={t('earning.order_title', {
                  days: order.days,
                  amount: isHidden ? '••••' : amountText(order.amount, presentation),
                })}
                note={t('earning.order_dates', {
                  from: dayText(order.start_date, 'day', presentation),
                  to: dayText(order.end_date, 'date', presentation),
                })}
                value={
                  <span className="earning-record-value">
                    <b className="earning-gain">
                      <Money amount={order.earned} exact signed hidden={isHidden} />
                    </b>
                    <StatusBadge status={order.status} />
                  </span>
                }
                onPress={() => navigate('/pages/Lock-up/record/record', { id: order.id })}
              />
              <ShareBar share={(order.days_paid / order.days) * 100} tone="brand" />
            </Card>
          ))}
          <ListEnd list={list} />
        </>
      ) : (
        <Card tight>
          <NoRows
            list={list}
            none={
              <EmptyState
                picture="lock"
                title={t('earning.none.lockup')}
                action={{ label: t('earning.see_products'), onPress: () => navigate('/pages/Lock-up/Lock-up') }}
              />
            }
          />
        </Card>
      )}
    </div>
  );
}

function StatusBadge({ status }: { status: LockupOrder['status'] }) {
  const { t } = useText<'earning'>();
  return (
    <Badge tone={status === 'complete' ? 'success' : 'brand'} mark={status === 'complete' ? 'check' : undefined}>
      {t(`earning.status.${status}`)}
    </Badge>
  );
}

type Detail = Extract<ResultOf<typeof listEarningOrders>['items'][number], { incomes: unknown }>;

function Order({ id }: { id: string }) {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  const { redirect } = useNavigation();
  const isHidden = useAreAmountsHidden();
  const [receipt, setReceipt] = useState<IncomeReceiptId | null>(null);
  useEarningRefresh();
  const { data, error, refetch } = useRead(listEarningOrders, { type: 'regular', id }, { freshForMs: 0 });
  const order = data?.items.find((one): one is Detail => 'incomes' in one);
  if (error && !order)
    return (
      <LoadFailed
        title={failureText(error.failure, texts)}
        onRetry={() => (error.failure.isAnswered ? redirect('/pages/Lock-up/record/record') : void refetch())}
      />
    );
  if (!order)
    return (
      <div className="page">
        <Card>
          <Skeleton height={280} />
        </Card>
      </div>
    );
  return (
    <div className="page">
      <Card>
        <div className="row">
          <h2 className="earning-card-title">
            <Money amount={order.amount} asset="USDT" exact hidden={isHidden} />
          </h2>
          <StatusBadge status={order.status} />
        </div>
        <ShareBar share={(order.days_paid / order.days) * 100} tone="brand" />
        <p className="cap num">{t('earning.days_paid', { paid: order.days_paid, days: order.days })}</p>
      </Card>
      <FactList
        facts={[
          { name: t('earning.term'), value: t('earning.term_days', { days: order.days }) },
          { name: t('earning.daily_rate'), value: formatPercent(order.daily_rate, presentation, { minDecimals: 3 }) },
          { name: t('earning.start_date'), value: dayText(order.start_date, 'date', presentation) },
          { name: t('earning.end_date'), value: dayText(order.end_date, 'date', presentation) },
          { name: t('earning.daily_income'), value: <Money amount={order.daily_income} asset="USDT" exact /> },
          { name: t('earning.earned'), value: <Money amount={order.earned} asset="USDT" exact signed /> },
          { name: t('earning.total_income'), value: <Money amount={order.total_income} asset="USDT" exact /> },
        ]}
      />
      <LateKeptLine about="lockup" id={order.id} />
      {/* A renewed order was ordered with its instruction. */}
      <LateOrderMark id={order.standing?.id ?? order.id} />
      <LateRenewal order={order} renewedBy={order.renewed_by} />
      <Card tight>
        {order.incomes.length === 0 ? (
          <EmptyState picture="calendar" title={t('earning.none.income')}>
            {t('earning.first_on', { day: dayText(order.start_date, 'date', presentation) })}
          </EmptyState>
        ) : (
          order.incomes.map(({ day, income, state }) => (
            <ListRow
              key={day}
              title={t('earning.income_of', { day: dayText(day, 'date', presentation) })}
              note={state === 'waiting' ? t('earning.status.waiting') : undefined}
              value={
                <b>
                  <Money amount={income} exact signed hidden={isHidden} />
                </b>
              }
              onPress={() => setReceipt({ order: order.id, day })}
            />
          ))
        )}
      </Card>
      <ReceiptSheet of={receipt} onClose={() => setReceipt(null)} />
    </div>
  );
}
