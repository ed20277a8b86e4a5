import type { OptionOrder } from '@sathorn/api';
import { serverNowMs, useArePricesSilent } from '@sathorn/app/stream';
import { formatCount } from '@sathorn/text';
import { Card, CardHead, Icon, Money, PriceText, RowButton, StaleMark, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { timeLeft } from '../parts/chart/time-left.ts';
import { useTickers } from '../parts/market/tickers.ts';
import { liveOutcome } from '../parts/orders/live-outcome.ts';
import { NotLoaded, type NotLoadedProps } from '../parts/read/not-loaded.tsx';
import { useDeskText } from '../parts/text/desk-text.ts';
import './open-bets.css';

interface OpenBetsProps {
  /** Undefined until they are loaded; the card then shows the state of the read. */
  orders: readonly OptionOrder[] | undefined;
  read: NotLoadedProps['read'];
  onPress: (order: OptionOrder) => void;
  /** Called with the index of the bet that the pointer or the focus is on. */
  onShow: (place: number) => void;
}

/** The open bets on a desktop, a row each, with the amount that each would bring at the current price. */
export default function OpenBets({ orders, read, onPress, onShow }: OpenBetsProps) {
  const { t, presentation } = useText();
  const say = useDeskText();
  const [now, setNow] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <Card className="open-bets">
      <CardHead
        title={t('option.holding')}
        trail={orders && <span className="muted num">{formatCount(orders.length, presentation)}</span>}
      />
      {!orders && <NotLoaded read={read} rows={2} />}
      {orders?.length === 0 && <p className="muted">{t('option.none_holding')}</p>}
      {orders && orders.length > 0 && (
        <table className="num">
          <thead>
            <tr>
              <th scope="col">{t('coins.by_name')}</th>
              <th scope="col">{t('option.direction')}</th>
              <th scope="col">{t('option.stake')}</th>
              <th scope="col">{t('option.start_price')}</th>
              <th scope="col">{say?.('bets.price')}</th>
              <th scope="col">{say?.('bets.ends_in')}</th>
              <th scope="col">{say?.('bets.would_get')}</th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order, place) => (
              <Bet
                key={order.id}
                order={order}
                leftMs={Date.parse(order.end_time) - now}
                onPress={() => onPress(order)}
                onShow={() => onShow(place)}
              />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

interface BetProps {
  order: OptionOrder;
  leftMs: number;
  onPress: () => void;
  onShow: () => void;
}

function Bet({ order, leftMs, onPress, onShow }: BetProps) {
  const { t, presentation } = useText();
  const ticker = useTickers((tickers) => tickers[order.name]);
  const isSilent = useArePricesSilent();
  // A stale price could show a wrong result, and after the end no price changes the result.
  const isOld = isSilent || ticker?.stale === true;
  const live = isOld || leftMs <= 0 ? undefined : liveOutcome(order, ticker?.price ?? null);
  const isUp = order.direction === 'up';
  return (
    <tr onMouseEnter={onShow} onFocus={onShow}>
      <th scope="row">
        <RowButton onClick={onPress}>{order.name}</RowButton>
      </th>
      <td className={isUp ? 'open-bets-up' : 'open-bets-down'}>
        <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={14} /> {t(isUp ? 'option.up' : 'option.down')}
      </td>
      <td>
        <Money amount={order.quantity} exact />
      </td>
      <td>{order.start_price === null ? '–' : <PriceText price={order.start_price} />}</td>
      <td>
        {isOld ? (
          <StaleMark>{t(isSilent ? 'price.reconnecting' : 'price.stale')}</StaleMark>
        ) : (
          <PriceText price={ticker?.price ?? null} />
        )}
      </td>
      <td>{timeLeft(leftMs, presentation)}</td>
      <td>
        <b>{live ? <Money amount={live.credit} exact /> : '–'}</b>
      </td>
    </tr>
  );
}
