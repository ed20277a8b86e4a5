import type { TradeView } from '@sathorn/api';
import { useServerSecond } from '@sathorn/app/stream';
import { formatDecimal, parseDecimal, parsePrice } from '@sathorn/money';
import { agoText, formatDecimalText } from '@sathorn/text';
import { Button, Icon, RowButton, useText } from '@sathorn/ui';
import { useCallback, useMemo, useState } from 'react';
import { BookLevel } from './book-level.tsx';
import { bookMiddle, lastTradeView } from './book-middle.ts';
import { priceFigure } from './contract-figures.ts';
import { decimalsOf } from './contract-math.ts';
import { setContractPreferences, useContractPreferences } from './contract-preferences.ts';
import { FilterSelect } from './filter-select.tsx';
import { groupLevels, groupSteps, QUANTITY_SCALE } from './group-book.ts';
import { useOwnOrderStore } from './own-order-store.ts';
import { openContractOrdersOf } from './own-orders.ts';
import { BOOK_DEPTH, useBookStore, useTapeStore } from './use-book.ts';
import type { ContractMarket } from './use-contract-market.ts';
import type { BookLevels } from './walk-book.ts';
import './order-book.css';

/** Levels per side that fit beside the ticket. */
const ROWS = Array.from({ length: 7 }, (_, row) => row);

interface OrderBookProps {
  market: ContractMarket;
  isFailed: boolean;
  onRetry: () => void;
  /** Called with the price of a pressed level, which the ticket then uses. */
  onTake: (price: string) => void;
  onAboutMaker: () => void;
}

/** The best levels of both sides around the mid price, each with a bar of the quantity up to there. */
export function OrderBook({ market, isFailed, onRetry, onTake, onAboutMaker }: OrderBookProps) {
  const { t, presentation } = useText<'contracts'>();
  const book = useBookStore((books) => books[market.code]);
  const last = useTapeStore((tapes) => tapes[market.code]?.[0]);
  const own = useOwnOrderStore();
  const bookTens = useContractPreferences((preferences) => preferences.bookTens);
  const steps = groupSteps(market.tick, market.index);
  const step = steps[Math.min(bookTens, steps.length - 1)] ?? market.tick;
  const decimals = decimalsOf(step);
  const ownLevels = useMemo(() => {
    const levelsOf = (side: 'buy' | 'sell') =>
      openContractOrdersOf(own, market.code).flatMap((order) =>
        order.side === side && order.price !== null ? [[order.price, '0'] as const] : [],
      );
    return new Set(
      (['buy', 'sell'] as const).flatMap((side) =>
        groupLevels(levelsOf(side), side, step, true).map(([price]) => levelKey(side, price)),
      ),
    );
  }, [own, market.code, step]);

  const shown = useMemo(() => {
    const of = (side: 'buy' | 'sell', all: BookLevels = []) =>
      groupLevels(all, side, step, all.length < BOOK_DEPTH).slice(0, ROWS.length);
    return { buy: of('buy', book?.bids), sell: of('sell', book?.asks) };
  }, [book, step]);

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
  const sums = { buy: sumsOf(shown.buy), sell: sumsOf(shown.sell) };
  const deepest = [...sums.buy.slice(-1), ...sums.sell.slice(-1)].reduce((a, b) => (a > b ? a : b), 1n);
  const isOld = market.isSilent;

  const level = (side: 'buy' | 'sell', row: number) => {
    const [price, quantity = '0'] = shown[side][row] ?? [null];
    const sum = sums[side][row] ?? 0n;
    return (
      <BookLevel
        key={row}
        code={market.code}
        side={side}
        place={row + 1}
        price={price}
        decimals={decimals}
        quantity={quantity}
        sum={formatDecimal(sum, QUANTITY_SCALE)}
        // A number is precise enough for drawing.
        percent={Number((sum * 100n) / deepest)}
        isOwn={price !== null && ownLevels.has(levelKey(side, price))}
        isLoading={!book}
        onTake={take}
      />
    );
  };

  const middle = book && bookMiddle(book, market.tick);
  return (
    <section className="book num" aria-label={t('contracts.book')} data-old={isOld ? '' : undefined}>
      <FilterSelect
        label={t('contracts.book_step')}
        value={step}
        options={steps.map((value) => ({ value, label: formatDecimalText(value, presentation) }))}
        onChange={(value) => setContractPreferences({ bookTens: steps.indexOf(value) })}
      />
      <div className="book-columns cap" aria-hidden="true">
        <span>{t('contracts.column_price')}</span>
        <span>{t('contracts.column_quantity')}</span>
        <span className="book-sum">{t('contracts.column_sum')}</span>
      </div>
      <ol className="book-side" data-side="sell" aria-label={t('contracts.asks')}>
        {ROWS.toReversed().map((row) => level('sell', row))}
      </ol>
      <div className="book-middle">
        {middle ? (
          <p className="book-mid">
            {/* The name has no figure, because the figure changes while the button has the focus. */}
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

/** Renders every second, because the trade's age grows. An old price must not look like the market's current one. */
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

/** Returns for each shown level the total quantity up to it. */
function sumsOf(levels: BookLevels): bigint[] {
  let sum = 0n;
  return levels.map(([, quantity]) => {
    sum += parseDecimal(quantity, QUANTITY_SCALE) ?? 0n;
    return sum;
  });
}
