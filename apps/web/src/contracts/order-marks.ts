import type { ContractOrder } from '@sathorn/api';
import { formatDecimal, parseDecimal, parsePrice } from '@sathorn/money';
import type { OrderMark } from '../parts/chart/chart-mark.ts';
import { restQuantityOf } from './dealt-share.ts';

const SCALE = 8;

/** Returns one mark per price and side, with the unfilled quantity of all orders there. */
export function orderMarks(
  orders: readonly ContractOrder[],
  labelOf: (side: 'buy' | 'sell', quantity: string) => string,
): OrderMark[] {
  const levels = new Map<string, { side: 'buy' | 'sell'; price: string; units: bigint }>();
  for (const order of orders) {
    if (order.price === null) continue;
    const key = `${order.side} ${parsePrice(order.price)}`;
    const level = levels.get(key) ?? { side: order.side, price: order.price, units: 0n };
    level.units += parseDecimal(restQuantityOf(order), SCALE) ?? 0n;
    levels.set(key, level);
  }
  return [...levels.values()].map(({ side, price, units }) => ({
    kind: 'order',
    side,
    price,
    label: labelOf(side, formatDecimal(units, SCALE)),
  }));
}
