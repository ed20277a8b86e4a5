import type { TradeView } from '@sathorn/api';
import { useServerSecond } from '@sathorn/app/stream';
import { parseDecimal, parsePrice } from '@sathorn/money';
import { agoText, formatDecimalText } from '@sathorn/text';
import { Button, Icon, RowButton, useText } from '@sathorn/ui';
import { useCallback, useMemo, useState } from 'react';
import { BookLevel } from './book-level.tsx';
import { bookMiddle, lastTradeView } from './book-middle.ts';
import { priceFigure } from './contract-figures.ts';
import { openOrders } from './own-orders.ts';
import { useOwn } from './own-store.ts';
import { useBooks, useTapes } from './use-book.ts';
import type { ContractMarket } from './use-contract-market.ts';
import './order-book.css';

/** Levels per side: as many as fit beside the ticket. */
const ROWS = Array.from({ length: 7 }, (_, row) => row);
const QUANTITY_SCALE = 8;

interface OrderBookProps {
  market: ContractMarket;
  isFailed: boolean;
  onRetry: () => void;
  /** Called with the price of a pressed level, for the ticket. */
  onTake: (price: string) => void;
  onAboutMaker: () => void;
}

/** The best levels of both sides around the mid price, each with a bar of the quantity up to there. */
export function OrderBook({ market, isFailed, onRetry, onTake, onAboutMaker }: OrderBookProps) {
  const { t, presentation } = useText<'contracts'>();
  const book = useBooks((books) => books[market.code]);
  const last = useTapes((tapes) => tapes[market.code]?.[0]);
  const own = useOwn();
  const ownLevels = useMemo(() => {
    const here = openOrders(own, market.code);
    return new Set(here.map(({ side, price }) => levelKey(side, price ?? '')));
  }, [own, market.code]);

  // Announces the pressed price, because the rows themselves are silent for screen readers.
  const [taken, setTaken] = useState('');
  const take = useCallback(
    (price: string) => {
      onTake(price);
      setTaken(price);
    },
    [onTake],
  );

  if (isFailed && !book) {
    return (
      <section className="book book-failed" aria-label={t('contracts.book')}>
        <Icon name="warning" />
        <p className="muted">{t('contracts.book_failed')}</p>
        <Button look="soft" size="small" onClick={onRetry}>
          {t('shell.try_again')}
        </Button>
      </section>
    );
  }
  const sums = { buy: sumsOf(book?.bids), sell: sumsOf(book?.asks) };
  const deepest = [...sums.buy.slice(-1), ...sums.sell.slice(-1)].reduce((a, b) => (a > b ? a : b), 1n);
  const isOld = market.isSilent;

  const level = (side: 'buy' | 'sell', row: number) => {
    const [price, quantity = '0'] = (side === 'buy' ? book?.bids : book?.asks)?.[row] ?? [null];
    return (
      <BookLevel
        key={row}
        code={market.code}
        side={side}
        place={row + 1}
        price={price}
        quantity={quantity}
        // For drawing only.
        percent={Number(((sums[side][row] ?? 0n) * 100n) / deepest)}
        isOwn={price !== null && ownLevels.has(levelKey(side, price))}
        isLoading={!book}
        onTake={take}
      />
    );
  };

  const middle = book && bookMiddle(book, market.tick);
  return (
    <section className="book num" aria-label={t('contracts.book')} data-old={isOld ? '' : undefined}>
      <div className="book-columns cap" aria-hidden="true">
        <span>{t('contracts.column_price')}</span>
        <span>{t('contracts.column_quantity')}</span>
      </div>
      <ol className="book-side" data-side="sell" aria-label={t('contracts.asks')}>
        {ROWS.toReversed().map((row) => level('sell', row))}
      </ol>
      <div className="book-middle">
        {middle ? (
          <p className="book-mid">
            {/* Named without the figure, which changes while it has the focus. */}
            <RowButton aria-label={t('contracts.take_mid')} onClick={() => take(middle.mid)} />
            <bdi dir="ltr">{priceFigure(market.code, middle.mid, presentation)}</bdi>
          </p>
        ) : (
          <p className="book-mid">
            {market.index === null ? '–' : priceFigure(market.code, market.index, presentation)}
          </p>
        )}
        <p className="cap">
          {middle
            ? t('contracts.mid_spread', { bp: formatDecimalText(middle.spreadBp, presentation, { minDecimals: 1 }) })
            : book && book.asks.length + book.bids.length === 0
              ? t('contracts.book_empty')
              : market.index === null
                ? '\u00a0'
                : t('contracts.index_price')}
        </p>
        {last && <LastTrade code={market.code} trade={last} />}
      </div>
      <ol className="book-side" data-side="buy" aria-label={t('contracts.bids')}>
        {ROWS.map((row) => level('buy', row))}
      </ol>
      <p className="unseen" role="status">
        {taken && t('contracts.price_taken', { price: priceFigure(market.code, taken, presentation) })}
      </p>
      <button type="button" className="book-maker" onClick={onAboutMaker}>
        <Icon name="company" size={14} />
        <span>{t('contracts.about_maker')}</span>
      </button>
    </section>
  );
}

/** Renders each second, because its age grows. An old price must not look like the market's. */
function LastTrade({ code, trade }: { code: string; trade: TradeView }) {
  const { t, presentation } = useText<'contracts'>();
  const { ageSeconds, tone } = lastTradeView(trade, useServerSecond());
  return (
    <>
      <p className={`cap ${tone}`}>
        {t('contracts.last_trade', { price: priceFigure(code, trade.price, presentation) })}
      </p>
      <p className="cap">{agoText(ageSeconds, presentation)}</p>
    </>
  );
}

/** Identifies a level by the price's value, whatever its decimals. */
const levelKey = (side: 'buy' | 'sell', price: string): string => `${side} ${parsePrice(price)}`;

/** The quantities of the shown levels, each with those of the better ones. */
function sumsOf(levels: readonly (readonly [string, string])[] = []): bigint[] {
  let sum = 0n;
  return levels.slice(0, ROWS.length).map(([, quantity]) => {
    sum += parseDecimal(quantity, QUANTITY_SCALE) ?? 0n;
    return sum;
  });
}
