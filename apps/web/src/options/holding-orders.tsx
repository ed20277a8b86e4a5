import type { OptionOrder } from '@sathorn/api';
import { serverNowMs, useArePricesSilent } from '@sathorn/app/stream';
import { formatAsset, formatCount } from '@sathorn/text';
import {
  Card,
  CountdownRing,
  HIDDEN_AMOUNT,
  Icon,
  Money,
  PriceText,
  RowButton,
  StaleMark,
  useIsSheetOpen,
  useText,
} from '@sathorn/ui';
import { useEffect, useRef } from 'react';
import { useTickers } from '../parts/market/tickers.ts';
import { justBoughtIds } from '../parts/orders/held-order-store.ts';
import { liveOutcome } from '../parts/orders/live-outcome.ts';
import './holding-orders.css';

const SHEET_SINKS_MS = 300;

interface HoldingOrdersProps {
  orders: readonly OptionOrder[];
  onPress?: (order: OptionOrder) => void;
  areAmountsHidden?: boolean;
  /** Shows the orders in one row to swipe, not one below the other. */
  isStrip?: boolean;
  /** Called with the index of the order that the strip shows. */
  onShow?: (place: number) => void;
}

/** Open orders with their time left and current result. */
export function HoldingOrders({ orders, isStrip = false, onShow, ...shown }: HoldingOrdersProps) {
  const { t, presentation } = useText();
  if (orders.length === 0) return null;
  const placeOf = (strip: HTMLElement) =>
    // `scrollLeft` is negative in right-to-left languages.
    Math.min(orders.length - 1, Math.round(Math.abs(strip.scrollLeft) / Math.max(1, strip.clientWidth)));
  return (
    <section
      className={isStrip ? 'bet-strip' : 'stack'}
      aria-label={t('option.holding')}
      onScroll={isStrip && onShow ? (event) => onShow(placeOf(event.currentTarget)) : undefined}
    >
      {orders.map((order, place) => (
        <HoldingOrder
          key={order.id}
          order={order}
          count={
            isStrip && orders.length > 1
              ? t('option.place_of', {
                  place: formatCount(place + 1, presentation),
                  total: formatCount(orders.length, presentation),
                })
              : undefined
          }
          {...shown}
        />
      ))}
    </section>
  );
}

function HoldingOrder({
  order,
  count,
  onPress,
  areAmountsHidden = false,
}: Pick<HoldingOrdersProps, 'onPress' | 'areAmountsHidden'> & { order: OptionOrder; count: string | undefined }) {
  const { t, presentation } = useText();
  const ticker = useTickers((tickers) => tickers[order.name]);
  const isSilent = useArePricesSilent();
  // With a stale price the displayed result could be wrong.
  const isOld = isSilent || ticker?.stale === true;
  const live = isOld ? undefined : liveOutcome(order, ticker?.price ?? null);
  const isUp = order.direction === 'up';
  const card = useRef<HTMLElement>(null);
  const isCovered = useIsSheetOpen();
  useEffect(() => {
    if (isCovered || !justBoughtIds.has(order.id)) return;
    // The new order's countdown is below the fold on most phones, so the page scrolls to it after the confirmation
    // sheet has closed.
    const timer = setTimeout(() => {
      justBoughtIds.delete(order.id);
      const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
      card.current?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior });
    }, SHEET_SINKS_MS);
    return () => clearTimeout(timer);
  }, [isCovered, order.id]);
  const what = (
    <>
      <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={15} />
      {t(isUp ? 'option.up_stake' : 'option.down_stake', {
        coin: order.name,
        // Formats the amount with its unit, so that Arabic text isolates both together.
        stake: areAmountsHidden ? HIDDEN_AMOUNT : formatAsset(order.quantity, 'USDT', presentation, { maxDecimals: 6 }),
      })}
    </>
  );
  return (
    <Card ref={card} className="holding-card">
      <CountdownRing
        from={Date.parse(order.start_time)}
        to={Date.parse(order.end_time)}
        now={serverNowMs}
        label={(seconds) => t('option.seconds_left', { count: seconds })}
      />
      <span className="holding-what">
        <b className={isUp ? 'holding-up' : 'holding-down'}>
          {onPress ? <RowButton onClick={() => onPress(order)}>{what}</RowButton> : what}
        </b>
        <span className="cap num">
          {order.start_price === null ? (
            t('option.waiting_start')
          ) : (
            <>
              {t('option.start_at')} <PriceText price={order.start_price} />
              {isOld && (
                <>
                  {' · '}
                  <StaleMark>{t(isSilent ? 'price.reconnecting' : 'price.stale')}</StaleMark>
                </>
              )}
              {live && (
                <>
                  {' · '}
                  {t('option.now_at')}{' '}
                  <Money amount={live.distance} signed decimals={live.distance.split('.')[1]?.length ?? 0} />
                </>
              )}
            </>
          )}
        </span>
      </span>
      <span className="holding-result num">
        <b>{live && <Money amount={live.profit} signed toned exact hidden={areAmountsHidden} />}</b>
        {count && <span className="cap">{count}</span>}
      </span>
    </Card>
  );
}
