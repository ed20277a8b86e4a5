import type { OptionOrder } from '@sathorn/api';
import { serverNow, useIsSilent } from '@sathorn/app/stream';
import { formatAsset } from '@sathorn/text';
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
import { justBought } from '../parts/orders/holding-orders.ts';
import { liveOutcome } from './live-outcome.ts';
import './holding-orders.css';

const SHEET_SINKS_MS = 300;

interface HoldingOrdersProps {
  orders: readonly OptionOrder[];
  onPress?: (order: OptionOrder) => void;
  areAmountsHidden?: boolean;
}

/** Open orders with their time left and current result. */
export function HoldingOrders({ orders, ...shown }: HoldingOrdersProps) {
  const { t } = useText();
  if (orders.length === 0) return null;
  return (
    <section className="stack" aria-label={t('option.holding')}>
      {orders.map((order) => (
        <HoldingOrder key={order.id} order={order} {...shown} />
      ))}
    </section>
  );
}

function HoldingOrder({
  order,
  onPress,
  areAmountsHidden = false,
}: Omit<HoldingOrdersProps, 'orders'> & { order: OptionOrder }) {
  const { t, presentation } = useText();
  const ticker = useTickers((tickers) => tickers[order.name]);
  const isSilent = useIsSilent();
  // With a stale price the displayed result could be wrong.
  const isOld = isSilent || ticker?.stale === true;
  const live = isOld ? undefined : liveOutcome(order, ticker?.price ?? null);
  const isUp = order.direction === 'up';
  const card = useRef<HTMLElement>(null);
  const isCovered = useIsSheetOpen();
  useEffect(() => {
    if (isCovered || !justBought.has(order.id)) return;
    // Scrolls to the new order's countdown, which is below the fold on most phones, after the confirmation sheet has
    // closed.
    const timer = setTimeout(() => {
      justBought.delete(order.id);
      const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
      card.current?.scrollIntoView({ block: 'nearest', behavior });
    }, SHEET_SINKS_MS);
    return () => clearTimeout(timer);
  }, [isCovered, order.id]);
  const what = (
    <>
      <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={15} />
      {t(isUp ? 'option.up_stake' : 'option.down_stake', {
        coin: order.name,
        // Formatted with its unit, so that in Arabic both are isolated together.
        stake: areAmountsHidden ? HIDDEN_AMOUNT : formatAsset(order.quantity, 'USDT', presentation, { maxDecimals: 6 }),
      })}
    </>
  );
  return (
    <Card ref={card} className="holding-card">
      <CountdownRing
        from={Date.parse(order.start_time)}
        to={Date.parse(order.end_time)}
        now={serverNow}
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
      <b className="num">{live && <Money amount={live.profit} signed toned exact hidden={areAmountsHidden} />}</b>
    </Card>
  );
}
