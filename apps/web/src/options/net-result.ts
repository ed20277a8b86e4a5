import type { OptionOrder } from '@sathorn/api';
import { formatDecimal, parseDecimal } from '@sathorn/money';

const USDT_SCALE = 6;

/** Returns the order's effect on the customer's balance: credited minus paid. Null while it is open. */
export function netResult({
  buy_price: paidText,
  sell_price: creditedText,
}: Pick<OptionOrder, 'buy_price' | 'sell_price'>): string | null {
  if (creditedText === null) return null;
  const paid = parseDecimal(paidText, USDT_SCALE);
  const credited = parseDecimal(creditedText, USDT_SCALE);
  return paid === undefined || credited === undefined ? null : formatDecimal(credited - paid, USDT_SCALE);
}
