import { type CoinCode, formatMoney, parseDecimal, parseMoney, parsePrice, scaleOf } from '@sathorn/money';
import { contractAmount } from '@sathorn/settlement';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { quantityForAmount } from './contract-math.ts';

/** The most whole lots whose value at a price is within a total of USDT; '' without a price or below one lot. */
export function sizeOfTotal(code: CoinCode, total: string, priceText: string, lotText: string): string {
  const amount = parseMoney('USDT', total);
  const price = parsePrice(priceText);
  const lot = parseDecimal(lotText, scaleOf(code));
  if (amount === undefined || price === undefined || lot === undefined) return '';
  const quantity = quantityForAmount(code, amount, price, lot);
  return quantity.units > 0n ? withoutTrailingZeros(formatMoney(quantity)) : '';
}

/** A size's value at a limit: a buy's cost rounded up, a sale's proceeds down; '' if either is missing. */
export function totalOfSize(code: CoinCode, side: 'buy' | 'sell', size: string, priceText: string): string {
  const quantity = parseMoney(code, size);
  const price = parsePrice(priceText);
  if (quantity === undefined || quantity.units <= 0n || price === undefined || price <= 0n) return '';
  return withoutTrailingZeros(formatMoney(contractAmount(price, quantity, side === 'buy' ? 'up' : 'down')));
}
