import type { ContractOrder } from '@sathorn/api';
import { formatDecimal, parseDecimal } from '@sathorn/money';

const SCALE = 8;
const PARTS = 1000n;

type Dealt = Pick<ContractOrder, 'quantity' | 'dealt_quantity'>;

/** Of an order what was not dealt. */
export function restOf({ quantity, dealt_quantity: dealt }: Dealt): string {
  return formatDecimal((parseDecimal(quantity, SCALE) ?? 0n) - (parseDecimal(dealt, SCALE) ?? 0n), SCALE);
}

/** From 0 to 1, for a bar. */
export function dealtShare({ quantity, dealt_quantity: dealt }: Dealt): number {
  const whole = parseDecimal(quantity, SCALE) ?? 0n;
  return whole === 0n ? 0 : Number(((parseDecimal(dealt, SCALE) ?? 0n) * PARTS) / whole) / Number(PARTS);
}
