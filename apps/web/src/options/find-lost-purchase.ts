import type { OptionOrder } from '@sathorn/api';
import { parseDecimal } from '@sathorn/money';

const USDT_SCALE = 6;
/** The largest error of the estimated server clock. */
const CLOCK_MARGIN_MS = 2_000;

/** A purchase that was sent but got no answer. */
export interface LostPurchase {
  readonly code: string;
  readonly direction: 'up' | 'down';
  /** USDT. */
  readonly quantity: string;
  /** Seconds. */
  readonly duration: string;
  /** By the server's clock, ms since 1970. */
  readonly sentAt: number;
  /** Ids of the orders that existed before the request, so none of these is this purchase. */
  readonly known: ReadonlySet<string>;
}

/** Finds the order of a lost purchase among orders that were read later. */
export function findLostPurchase(
  { code, direction, quantity, duration, sentAt, known }: LostPurchase,
  orders: readonly OptionOrder[],
): OptionOrder | undefined {
  const stake = parseDecimal(quantity, USDT_SCALE);
  return orders.find(
    (order) =>
      !known.has(order.id) &&
      order.name === code &&
      order.direction === direction &&
      order.duration === Number(duration) &&
      parseDecimal(order.quantity, USDT_SCALE) === stake &&
      Date.parse(order.start_time) >= sentAt - CLOCK_MARGIN_MS,
  );
}
