import { type AssetCode, isAssetCode, scaleOf } from './asset.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import type { Rate } from './rate.ts';
import { RATE_ONE } from './rate.ts';
import { mulDiv, type Rounding } from './rounding.ts';

declare const unitsBrand: unique symbol;
/** A count of an asset's smallest unit. */
type Units = bigint & { readonly [unitsBrand]: 'units' };

export interface Money<A extends AssetCode = AssetCode> {
  readonly asset: A;
  readonly units: Units;
}

export function money<A extends AssetCode>(asset: A, units: bigint): Money<A> {
  return { asset, units: units as Units };
}

export function zero<A extends AssetCode>(asset: A): Money<A> {
  return money(asset, 0n);
}

/** Returns undefined if the text has another format or is finer than the asset's smallest unit. */
export function parseMoney<A extends AssetCode>(asset: A, text: string): Money<A> | undefined {
  const units = parseDecimal(text, scaleOf(asset));
  return units === undefined ? undefined : money(asset, units);
}

/** Formats as on the wire: all decimals of the asset, without the unit. */
export function formatMoney(amount: Money): string {
  return formatDecimal(amount.units, scaleOf(amount.asset));
}

// JSON can contain what the compiler would refuse, so this is checked at run time too.
function assertSameAsset(a: Money, b: Money): void {
  if (a.asset !== b.asset || !isAssetCode(a.asset)) throw new TypeError(`${a.asset} and ${b.asset} do not mix`);
}

export function add<A extends AssetCode>(a: Money<A>, b: Money<NoInfer<A>>): Money<A> {
  assertSameAsset(a, b);
  return money(a.asset, a.units + b.units);
}

/** The result may be negative, because a difference is not a balance. */
export function subtract<A extends AssetCode>(a: Money<A>, b: Money<NoInfer<A>>): Money<A> {
  assertSameAsset(a, b);
  return money(a.asset, a.units - b.units);
}

export function isMore<A extends AssetCode>(a: Money<A>, b: Money<NoInfer<A>>): boolean {
  assertSameAsset(a, b);
  return a.units > b.units;
}

/** amount × rate, rounded as given. */
export function share<A extends AssetCode>(amount: Money<A>, rate: Rate, rounding: Rounding): Money<A> {
  return money(amount.asset, mulDiv(amount.units, rate, RATE_ONE, rounding));
}
