import { serverNow } from '@sathorn/app/stream';
import { parseDecimal, parsePrice } from '@sathorn/money';
import { formatDate } from '@sathorn/text';
import { Button, Icon, useText } from '@sathorn/ui';
import { useCallback, useMemo, useState } from 'react';
import { BookLevel } from './book-level.tsx';
import { priceFigure } from './contract-figures.ts';
import { openOrders } from './own-orders.ts';
import { useOwn } from './own-store.ts';
import { spreadOf } from './spread-of.ts';
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

/** The best levels of both sides around the last price, each with a bar of its depth. */
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
  const deepest = book ? deepestOf([...book.asks.slice(0, ROWS.length), ...book.bids.slice(0, ROWS.length)]) : 1n;
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
        percent={depthPercent(quantity, deepest)}
        isOwn={price !== null && ownLevels.has(levelKey(side, price))}
        isLoading={!book}
        onTake={take}
      />
    );
  };

  const spread = book && spreadOf(book, market.tick);
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
        {last ? (
          <button
            type="button"
            className={last.side === 'buy' ? 'book-last rise' : 'book-last fall'}
            aria-label={t('contracts.take_last', { price: priceFigure(market.code, last.price, presentation) })}
            onClick={() => take(last.price)}
          >
            <bdi dir="ltr">{priceFigure(market.code, last.price, presentation)}</bdi>
            <Icon name={last.side === 'buy' ? 'arrow-up' : 'arrow-down'} size={14} />
          </button>
        ) : (
          <p className="book-last">
            {market.index === null ? '–' : priceFigure(market.code, market.index, presentation)}
          </p>
        )}
        {/* A price at which nobody has traded for a long time must not look like the market's. */}
        <p className="cap">
          {last
            ? t('contracts.last_trade', {
                time: formatDate(last.at, isRecent(last.at) ? 'seconds' : 'dayTime', presentation),
              })
            : market.index === null
              ? '\u00a0'
              : t('contracts.index_price')}
        </p>
        <p className="cap">
          {!book
            ? '\u00a0'
            : spread
              ? t('contracts.spread', { amount: priceFigure(market.code, spread, presentation) })
              : book.asks.length + book.bids.length === 0
                ? t('contracts.book_empty')
                : '\u00a0'}
        </p>
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

const DAY_MS = 86_400_000;
const isRecent = (at: string): boolean => serverNow() - Date.parse(at) < DAY_MS;

/** Identifies a level by the price's value, whatever its decimals. */
const levelKey = (side: 'buy' | 'sell', price: string): string => `${side} ${parsePrice(price)}`;

function deepestOf(levels: readonly (readonly [string, string])[]): bigint {
  let deepest = 1n;
  for (const [, quantity] of levels) {
    const units = parseDecimal(quantity, QUANTITY_SCALE) ?? 0n;
    if (units > deepest) deepest = units;
  }
  return deepest;
}

/** For drawing only. */
function depthPercent(quantity: string, deepest: bigint): number {
  return Number(((parseDecimal(quantity, QUANTITY_SCALE) ?? 0n) * 100n) / deepest);
}
