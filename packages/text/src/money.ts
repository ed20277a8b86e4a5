import { formatDecimalText, type NumberStyle } from './numbers.ts';
import type { Presentation } from './presentation.ts';

const DONG = new Set(['₫', 'đ', 'VND']);

/** A line must not break between a number and its unit. */
const NO_BREAK_SPACE = '\u00a0';

/**
 * An amount in a display currency: the unit before the number, but after it for the dong. `฿1,234.50`, `−฿5.00`, `THB
 * 5.00`, `1,234 ₫`.
 */
export function formatMoney(text: string, unit: string, presentation: Presentation, style: NumberStyle = {}): string {
  const number = formatDecimalText(text, presentation, style);
  if (DONG.has(unit)) return `${number}${NO_BREAK_SPACE}${unit}`;
  const sign = /^[−+]/.exec(number)?.[0] ?? '';
  // No space separates a symbol from the number; a code gets one.
  const gap = /^\p{Sc}$/u.test(unit) ? '' : NO_BREAK_SPACE;
  return `${sign}${unit}${gap}${number.slice(sign.length)}`;
}

/** An asset's code as it is shown. Other units, such as minutes, stay as they are. */
export function assetName(code: string, { assetMark }: Presentation): string {
  return assetMark !== undefined && /^[A-Z]{3,5}$/.test(code) ? `${assetMark}${code}` : code;
}

/** An amount of an asset, its code after the number: `12.50 USDT`. */
export function formatAsset(text: string, asset: string, presentation: Presentation, style: NumberStyle = {}): string {
  return `${formatDecimalText(text, presentation, style)}${NO_BREAK_SPACE}${assetName(asset, presentation)}`;
}

/** Converts an amount of USDT to a display currency: the exact product of two decimal strings. For display only. */
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
