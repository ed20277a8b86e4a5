import type { ContractOrder } from '@sathorn/api';
import { formatDecimal, parseDecimal } from '@sathorn/money';

const SCALE = 8;
const PARTS = 1000n;

type Sized = Pick<ContractOrder, 'quantity' | 'cut_quantity'>;
type Dealt = Sized & Pick<ContractOrder, 'dealt_quantity'>;

/** Returns an order's size: what was ordered without what its owner took back. */
export function sizeOf({ quantity, cut_quantity: cut }: Sized): string {
  return formatDecimal((parseDecimal(quantity, SCALE) ?? 0n) - (parseDecimal(cut, SCALE) ?? 0n), SCALE);
}

/** Returns the part of an order that has not been filled. */
export function restQuantityOf(order: Dealt): string {
  return formatDecimal(
    (parseDecimal(sizeOf(order), SCALE) ?? 0n) - (parseDecimal(order.dealt_quantity, SCALE) ?? 0n),
    SCALE,
  );
}

/** Returns the filled share from 0 to 1, for a bar; for an order by amount, the spent share of the amount. */
export function dealtShare(order: Dealt & Pick<ContractOrder, 'amount' | 'dealt_amount'>): number {
  const [dealt, whole] = (
    order.amount === null ? [order.dealt_quantity, sizeOf(order)] : [order.dealt_amount, order.amount]
  ).map((text) => parseDecimal(text, SCALE) ?? 0n) as [bigint, bigint];
  return whole === 0n ? 0 : Number((dealt * PARTS) / whole) / Number(PARTS);
}
