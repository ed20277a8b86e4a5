/**
 * The book's units. Prices count price steps and quantities count lots of the coin; ids and owners are numbers that the
 * caller assigns. All are integers from 1 to 2^53 - 1, so a `number` holds them exactly.
 */
export type Side = 'buy' | 'sell';

/**
 * GTC rests until it is filled or revoked; IOC takes what is available and cancels the rest; FOK is filled completely
 * or not at all.
 */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

export interface PlaceOrder {
  /** Unique among resting orders; the book does not remember earlier ones. */
  readonly id: number;
  readonly owner: number;
  readonly side: Side;
  readonly type: 'limit' | 'market';
  /** In price steps: the limit, or for a market order the end of its band. Nothing trades beyond it. */
  readonly price: number;
  /** In lots. */
  readonly quantity: number;
  readonly timeInForce: TimeInForce;
  /** The order rests or is rejected, and never takes. */
  readonly postOnly: boolean;
}

/** An order in the book; `quantity` is the open part. */
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
