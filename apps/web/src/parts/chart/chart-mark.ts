/** Marks over the candles, as texts and decimal strings, so that callers do not need the chart library. */
export type ChartMark = OptionMark | OrderMark;

/** An open option, from its start to its end, at its start price. */
interface OptionMark {
  readonly kind: 'option';
  readonly direction: 'up' | 'down';
  readonly price: string;
  readonly startsAt: string;
  readonly endsAt: string;
  /** Direction and stake. */
  readonly entry: string;
  /** The text of its end time. */
  readonly expiry: string;
}

/** A price at which the customer has an order on the book. */
export interface OrderMark {
  readonly kind: 'order';
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly label: string;
}
