/** Marks drawn over the candles, in words and wire strings, so that callers need nothing of the chart library. */
export type ChartMark = OptionMark | OrderMark;

/** An open option, from where it started to where it ends, at its start price. */
export interface OptionMark {
  readonly kind: 'option';
  readonly direction: 'up' | 'down';
  readonly price: string;
  readonly startsAt: string;
  readonly endsAt: string;
  /** Direction and stake. */
  readonly entry: string;
  /** When it ends. */
  readonly expiry: string;
}

/** A price at which an order of the customer waits on the book. */
export interface OrderMark {
  readonly kind: 'order';
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly label: string;
}
