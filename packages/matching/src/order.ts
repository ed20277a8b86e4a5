/**
 * The language of the book. Prices count ticks and quantities count lots of the book's coin, ids and owners are numbers
 * that the caller gives; all are whole, from 1 to 2^53 - 1, so a `number` holds them exactly.
 */
export type Side = 'buy' | 'sell';

/**
 * GTC rests until it is filled or revoked; IOC takes what is available and the rest is cancelled; FOK is filled
 * completely or not at all.
 */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

export interface PlaceOrder {
  /** Unique among resting orders; the book does not remember those that are gone. */
  readonly id: number;
  readonly owner: number;
  readonly side: Side;
  readonly type: 'limit' | 'market';
  /** Ticks: the limit, or for a market order the end of its price band. Nothing trades beyond it. */
  readonly price: number;
  /** Lots. */
  readonly quantity: number;
  readonly timeInForce: TimeInForce;
  /** Rests or is rejected, never takes. */
  readonly postOnly: boolean;
}

/** An order in the book; `quantity` is what is left of it. */
export interface RestingOrder {
  readonly id: number;
  readonly owner: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
}

export interface DepthLevel {
  readonly price: number;
  readonly quantity: number;
  readonly orders: number;
}
