import type { OptionOrder, OptionReceipt } from '@sathorn/api';
import { figureSeparator, formatDate, formatDecimalText, formatPercent } from '@sathorn/text';
import { Card, Icon, type IconName, ListRow, Money, PriceText, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { CountedAmount } from './counted-amount.tsx';
import { durationLabel } from './duration-label.ts';
import { netResult } from './net-result.ts';
import { tickTimeOf } from './tick-time.ts';
import './result-view.css';

const ICONS: Record<OptionOrder['status'], IconName> = {
  holding: 'clock',
  won: 'check',
  lost: 'minus',
  tie: 'equal',
  void: 'refresh',
  sold: 'swap',
};

interface ResultViewProps {
  order: OptionOrder;
  /** Gives the ticks their times. */
  receipt?: OptionReceipt | null | undefined;
  /** The amount counts up once. */
  isCounted?: boolean;
  /** Shown in place of the result while the order is open. */
  live?: ReactNode;
  /** What can be done with the order, above its figures. */
  act?: ReactNode;
}

/** An order's result, and all its figures below. */
export function ResultView({ order, receipt, isCounted = false, live, act }: ResultViewProps) {
  const { t, presentation } = useText();
  const isSettled = order.status !== 'holding';
  const net = netResult(order);
  const subject = t(order.direction === 'up' ? 'option.subject_up' : 'option.subject_down', {
    coin: order.name,
    duration: durationLabel(order.duration, t, presentation),
    stake: formatDecimalText(order.quantity, presentation, { minDecimals: 2, maxDecimals: 6 }),
  });
  return (
    <>
      <Card className="result-hero">
        {live ?? (
          <>
            <span className="result-mark" data-status={order.status}>
              <Icon name={ICONS[order.status]} size={30} />
            </span>
            <p className="result-title">{t(`option.status.${order.status}`)}</p>
          </>
        )}
        {net !== null && order.status !== 'tie' && order.status !== 'void' ? (
          <p className="result-amount">
            {isCounted ? <CountedAmount amount={net} /> : <Money amount={net} asset="USDT" signed toned exact fitted />}
          </p>
        ) : (
          order.sell_price !== null && (
            <p className="result-amount">
              <Money amount={order.sell_price} asset="USDT" exact fitted />
            </p>
          )
        )}
        <p className="muted num">{subject}</p>
        {order.reason && <p className="result-reason">{t(`option.reason.${order.reason}`)}</p>}
        {(order.status === 'tie' || order.status === 'sold') && (
          <p className="result-reason">{t(`option.reason.${order.status}`)}</p>
        )}
      </Card>
      {act}
      <Card tight>
        <ListRow
          title={t('option.start_price')}
          note={tickNote(order.start_sequence, receipt?.ticks.start)}
          value={
            <b>
              <PriceText price={order.start_price} />
            </b>
          }
        />
        <ListRow
          title={t(order.status === 'sold' ? 'option.sale_index' : 'option.end_price')}
          note={tickNote(order.end_sequence, receipt?.ticks.end)}
          value={
            <b>
              <PriceText price={order.end_price} />
            </b>
          }
        />
        {order.status === 'sold' ? (
          <ListRow title={t('option.stake')} value={<Money amount={order.quantity} exact />} />
        ) : (
          <>
            <ListRow
              title={t('option.payout_of', {
                rate: formatPercent(order.payout, presentation),
                stake: formatDecimalText(order.quantity, presentation, { minDecimals: 2, maxDecimals: 6 }),
              })}
              value={
                <b>{order.status === 'won' && order.profit !== null ? <Money amount={order.profit} exact /> : '–'}</b>
              }
            />
            <ListRow
              title={t('option.stake_returned')}
              value={<b>{/[1-9]/.test(order.sell_price ?? '') ? <Money amount={order.quantity} exact /> : '–'}</b>}
            />
            <ListRow
              title={t('option.fee_of_profit', { rate: formatPercent(order.fee_rate, presentation) })}
              value={
                <b>
                  {order.fee === null ? (
                    '–'
                  ) : (
                    <Money amount={/[1-9]/.test(order.fee) ? `-${order.fee}` : order.fee} exact />
                  )}
                </b>
              }
            />
          </>
        )}
        <ListRow
          title={t(
            order.status === 'sold' ? 'option.sale_price' : isSettled ? 'option.credited' : 'option.if_win_credited',
          )}
          value={
            <b>
              <Money amount={order.sell_price ?? order.win_credit} asset="USDT" exact />
            </b>
          }
        />
      </Card>
    </>
  );

  function tickNote(sequence: string | null, tick: OptionReceipt['ticks']['start'] | undefined): string | undefined {
    if (sequence === null) return undefined;
    const time = tickTimeOf(tick);
    const name = t('option.tick', { sequence: formatDecimalText(sequence, presentation) });
    return time === undefined
      ? name
      : `${name}${figureSeparator(presentation)}${formatDate(time, 'seconds', presentation)}`;
  }
}
