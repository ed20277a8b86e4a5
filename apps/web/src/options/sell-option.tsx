import { listOptions, type OptionOrder, readBalance, readUser, sellOption } from '@sathorn/api';
import { failureText, readQueryKey, rereadCalls, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { serverNowMs, useArePricesSilent } from '@sathorn/app/stream';
import { formatMoney } from '@sathorn/money';
import { formatAsset, formatCount, formatPercent } from '@sathorn/text';
import { Button, Card, CardHead, ListRow, Money, StaleMark, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTickers } from '../parts/market/tickers.ts';
import { storeHeldOrders } from '../parts/orders/held-order-store.ts';
import { VIBRATE_TAKEN_MS, vibrateDevice } from '../parts/orders/vibrate-device.ts';
import { useReceiptText } from '../parts/receipt/use-receipt-text.ts';
import { liveBidOf, sellableOf } from './live-bid.ts';
import { nextFrame } from './next-frame.ts';
import './sell-option.css';

interface SellOptionProps {
  order: OptionOrder;
  onSold?: (order: OptionOrder) => void;
}

/**
 * The price at which an open option can be sold now, from this device's own computation, and one button that sells. The
 * button names the amount; the tap sends it with its tick, and the server takes exactly that price or none.
 */
export default function SellOption({ order, onSold }: SellOptionProps) {
  const texts = useText();
  const { t: trade, presentation } = texts;
  const { t } = useReceiptText(true);
  const queries = useQueryClient();
  const ticker = useTickers((tickers) => tickers[order.name]);
  const isSilent = useArePricesSilent();
  const selling = useCall(sellOption, { quiet: true, withoutOverlay: true });
  const [isPressed, setPressed] = useState(false);
  /** The price of the tap, which the button keeps while the server decides. */
  const [asked, setAsked] = useState('');
  const [refused, setRefused] = useState('');
  const sellable = useMemo(() => sellableOf(order), [order]);
  if (!t || sellable === undefined) return null;
  const isOld = isSilent || ticker?.stale === true;
  const bid = liveBidOf(order, sellable, ticker, serverNowMs());
  const isBusy = selling.isBusy || isPressed;
  const amountText = (units: string) => formatAsset(units, 'USDT', presentation, { minDecimals: 2, maxDecimals: 6 });

  const sell = async (price: string, tick: string) => {
    setRefused('');
    setAsked(price);
    setPressed(true);
    await nextFrame();
    const answer = await selling.submit({ id: order.id, price, tick });
    setPressed(false);
    if (answer.ok) {
      storeHeldOrders([answer.data]);
      showToast(t('sale.sold', { amount: amountText(price) }), 'success', { about: `option ${order.id}` });
      vibrateDevice(VIBRATE_TAKEN_MS);
      for (const call of [readBalance, readUser]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
      onSold?.(answer.data);
      return;
    }
    setRefused(answer.isAnswered ? failureText(answer, texts) : t('sale.unanswered'));
    // It may be sold already: the answer was lost, or another device was faster. The list then says so.
    if (!answer.isAnswered || answer.code === 'order_settled') rereadCalls(listOptions, readBalance);
  };

  const closed = t('sale.closed', { seconds: formatCount(sellable.sale.closedMs / 1_000, presentation) });
  return (
    <Card className="sell-option">
      <CardHead
        title={t('sale.title')}
        trail={isOld && <StaleMark>{trade(isSilent ? 'price.reconnecting' : 'price.stale')}</StaleMark>}
      />
      {bid.state === 'open' ? (
        <>
          <div className="sell-option-rows" aria-busy={isBusy}>
            <ListRow
              title={t('sale.price')}
              value={<b>{isOld ? '–' : <Money amount={formatMoney(bid.price)} asset="USDT" exact />}</b>}
            />
            <ListRow
              title={t('sale.profit')}
              value={<b>{isOld ? '–' : <Money amount={formatMoney(bid.profit)} signed toned exact />}</b>}
            />
            <ListRow
              title={t('sale.spread', { rate: formatPercent(order.sale?.spread ?? '0', presentation) })}
              value={<Money amount={formatMoney(bid.spread)} exact />}
            />
          </div>
          <Button
            look="soft"
            busy={isBusy}
            disabled={isOld}
            onClick={() => void sell(formatMoney(bid.price), bid.tick)}
          >
            {isOld ? t('sale.title') : t('sale.act', { amount: amountText(isBusy ? asked : formatMoney(bid.price)) })}
          </Button>
          <p className="cap">{t('sale.note')}</p>
          <p className="cap">{closed}</p>
        </>
      ) : (
        <p className="muted">{bid.state === 'closed' ? closed : t(`sale.${bid.state}`)}</p>
      )}
      <p className="sell-option-refused" role="status">
        {refused}
      </p>
    </Card>
  );
}
