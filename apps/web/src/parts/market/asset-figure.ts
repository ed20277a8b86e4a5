import { formatAsset, type Presentation } from '@sathorn/text';

/** Removes trailing zeros. */
export function withoutTrailingZeros(text: string): string {
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}

/** Formats an amount with all its decimals (at least two for USDT) and its asset. */
export function assetFigure(asset: string, text: string, presentation: Presentation): string {
  return formatAsset(withoutTrailingZeros(text), asset, presentation, { minDecimals: asset === 'USDT' ? 2 : 0 });
}
