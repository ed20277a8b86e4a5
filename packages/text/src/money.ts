import { formatDecimalText, type NumberStyle } from './numbers.ts';
import type { Presentation } from './presentation.ts';

/** Units that stand after the number: the dong, and the codes of assets. Symbols of other currencies stand before it. */
const UNITS_AFTER = new Set(['₫', 'đ', 'VND']);

/** No line break may part a number from its unit. */
const NO_BREAK_SPACE = '\u00a0';

/**
 * `฿ 1,234.50`, `1,234 ₫`, `12.500000 USDT`: a decimal string with its unit, placed by the brand's rule. The sign stands before
 * both. An asset's code of three or more letters counts as a unit that follows.
 */
export function formatMoney(text: string, unit: string, presentation: Presentation, style: NumberStyle = {}): string {
  const number = formatDecimalText(text, presentation, style);
  if (UNITS_AFTER.has(unit) || /^[A-Z]{3,}$/.test(unit)) return `${number}${NO_BREAK_SPACE}${unit}`;
  const sign = /^[−+]/.exec(number)?.[0] ?? '';
  return `${sign}${unit}${NO_BREAK_SPACE}${number.slice(sign.length)}`;
}

/** What an amount of USDT is in a display currency: the exact product of two decimal strings. For showing only. */
export function inDisplayCurrency(usdt: string, rate: string): string {
  const amount = split(usdt);
  const factor = split(rate);
  const scale = amount.scale + factor.scale;
  const product = amount.units * factor.units;
  const digits = (product < 0n ? -product : product).toString().padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${product < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
}

function split(text: string): { units: bigint; scale: number } {
  if (!/^-?[0-9]+(\.[0-9]+)?$/.test(text)) throw new TypeError(`not a decimal: ${text}`);
  const [whole = '', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}
