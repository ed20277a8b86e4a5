import { COINS, type CoinCode, formatPrice, isCoinCode, parsePrice, price, priceStepUnits } from '@sathorn/money';
import { formatAsset, formatDecimalText, type Presentation } from '@sathorn/text';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';

/** A price with all its coin's decimals, so that prices align in a column. */
export function priceFigure(code: string, text: string, presentation: Presentation): string {
  const decimals = isCoinCode(code) ? COINS[code].priceDecimals : 2;
  return formatDecimalText(text, presentation, { minDecimals: decimals, maxDecimals: decimals });
}

/** Rounds an index price, which is finer, down to a price step of the book. */
export function roundToPriceStep(code: CoinCode, index: string | null): string | null {
  const units = parsePrice(index ?? '');
  if (units === undefined) return null;
  return formatPrice(price(units - (units % priceStepUnits(code))), COINS[code].priceDecimals);
}

/** A quantity with the decimals of its coin's lots. */
export function quantityFigure(code: string, text: string, presentation: Presentation): string {
  const decimals = isCoinCode(code) ? COINS[code].lotDecimals : 0;
  return formatDecimalText(withoutTrailingZeros(text), presentation, { minDecimals: decimals });
}

/**
 * Formats the minimum that an order brings, rounded down and without its last decimals, because these depend on the
 * number of fills.
 */
export function receivedFigure(asset: string, text: string, presentation: Presentation): string {
  const maxDecimals = isCoinCode(asset) ? COINS[asset].lotDecimals + 1 : 2;
  return formatAsset(withoutTrailingZeros(text), asset, presentation, {
    minDecimals: asset === 'USDT' ? 2 : 0,
    maxDecimals,
  });
}
