import { Skeleton } from '@sathorn/ui';
import { memo, useRef } from 'react';
import { priceFigure, quantityFigure } from './contract-figures.ts';
import { useContractText } from './contract-texts.tsx';

interface BookLevelProps {
  code: string;
  /** Null where the book has no such level: the row keeps its place, so nothing jumps when the book grows. */
  price: string | null;
  quantity: string;
  /** Of the deepest level that is shown. */
  percent: number;
  /** An order of the customer rests here. */
  isOwn: boolean;
  isLoading: boolean;
  onTake: (price: string) => void;
}

/** One row of the book. Rows stay where they are and only their figures change; it is drawn anew only when they do. */
export const BookLevel = memo(function BookLevel({
  code,
  price,
  quantity,
  percent,
  isOwn,
  isLoading,
  onTake,
}: BookLevelProps) {
  const { t, presentation } = useContractText();
  // What stood here when the finger came down is what was meant, though the row may show another price by now.
  const meant = useRef<string | null>(null);
  if (price === null) {
    return (
      <li className="book-level" aria-hidden="true">
        {isLoading && <Skeleton height={11} />}
      </li>
    );
  }
  const figures = {
    price: priceFigure(code, price, presentation),
    quantity: quantityFigure(code, quantity, presentation),
  };
  return (
    <li className="book-level">
      <button
        type="button"
        onPointerDown={() => {
          meant.current = price;
        }}
        onClick={() => {
          onTake(meant.current ?? price);
          meant.current = null;
        }}
      >
        <span className="unseen">
          {t('contracts.take_price', figures)}
          {isOwn && `, ${t('contracts.own_level')}`}
        </span>
        <bdi dir="ltr" className="book-price" aria-hidden="true" data-own={isOwn ? '' : undefined}>
          {figures.price}
        </bdi>
        <bdi dir="ltr" aria-hidden="true">
          {figures.quantity}
        </bdi>
        <span className="book-bar" style={{ transform: `scaleX(${percent / 100})` }} aria-hidden="true" />
      </button>
    </li>
  );
});
