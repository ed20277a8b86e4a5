/** Marks drawn over the candles, as texts and decimal strings, so that callers don't need the chart library. */
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

/** A price at which the customer has an order on the book. */
export interface OrderMark {
  readonly kind: 'order';
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly label: string;
}
