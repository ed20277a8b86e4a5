import { formatCount, formatDecimalText } from '@sathorn/text';
import { RowButton, Skeleton, useText } from '@sathorn/ui';
import { memo, useRef } from 'react';
import { quantityFigure } from './contract-figures.ts';

interface BookLevelProps {
  code: string;
  side: 'buy' | 'sell';
  /** The level's position: 1 is the best price. */
  place: number;
  /** Null if the book has no such level. The row stays, so that nothing jumps when the book grows. */
  price: string | null;
  /** The decimals of the price. */
  decimals: number;
  quantity: string;
  /** The total quantity up to this level. */
  sum: string;
  /** The total quantity up to this level, in percent of the deeper side's. */
  percent: number;
  /** True if the customer has an order at this price. */
  isOwn: boolean;
  isLoading: boolean;
  onTake: (price: string) => void;
}

/** One row of the book. Rows stay in place, and a row renders again only when its figures change. */
export const BookLevel = memo(function BookLevel({
  code,
  side,
  place,
  price,
  decimals,
  quantity,
  sum,
  percent,
  isOwn,
  isLoading,
  onTake,
}: BookLevelProps) {
  const { t, presentation } = useText<'contracts'>();
  // Uses the price shown at the beginning of the press, because the row may show another one when the finger lifts.
  const meant = useRef<string | null>(null);
  if (price === null) {
    return (
      <li className="book-level" aria-hidden="true">
        {isLoading && <Skeleton height={11} />}
      </li>
    );
  }
  return (
    <li className="book-level">
      {/* The name is the row's position, which does not change; screen readers read the figures beside it. */}
      <RowButton
        aria-label={t(side === 'sell' ? 'contracts.take_ask' : 'contracts.take_bid', {
          place: formatCount(place, presentation),
        })}
        onPointerDown={() => {
          meant.current = price;
        }}
        onClick={() => {
          onTake(meant.current ?? price);
          meant.current = null;
        }}
      />
      <bdi dir="ltr" className="book-price" data-own={isOwn ? '' : undefined}>
        {formatDecimalText(price, presentation, { minDecimals: decimals, maxDecimals: decimals })}
      </bdi>
      {isOwn && <span className="unseen">{t('contracts.own_level')}</span>}
      <bdi dir="ltr">{quantityFigure(code, quantity, presentation)}</bdi>
      <bdi dir="ltr" className="book-sum">
        {quantityFigure(code, sum, presentation)}
      </bdi>
      <span className="book-bar" style={{ transform: `scaleX(${percent / 100})` }} />
    </li>
  );
});
