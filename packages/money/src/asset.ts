/** Kinds of asset; points are earned, never bought. */
type AssetKind = 'crypto' | 'fiat' | 'points';

export interface Asset {
  readonly code: AssetCode;
  /** Decimal places of the smallest unit. Immutable: a new scale is a new asset. */
  readonly scale: number;
  readonly kind: AssetKind;
}

export const ASSETS = {
  USDT: { code: 'USDT', scale: 6, kind: 'crypto' },
  BTC: { code: 'BTC', scale: 8, kind: 'crypto' },
  ETH: { code: 'ETH', scale: 8, kind: 'crypto' },
  BNB: { code: 'BNB', scale: 8, kind: 'crypto' },
  SOL: { code: 'SOL', scale: 8, kind: 'crypto' },
  XRP: { code: 'XRP', scale: 8, kind: 'crypto' },
  DOGE: { code: 'DOGE', scale: 8, kind: 'crypto' },
  ADA: { code: 'ADA', scale: 8, kind: 'crypto' },
  TRX: { code: 'TRX', scale: 8, kind: 'crypto' },
  THB: { code: 'THB', scale: 2, kind: 'fiat' },
  POINTS: { code: 'POINTS', scale: 0, kind: 'points' },
} as const satisfies Record<string, { code: string; scale: number; kind: AssetKind }>;

export type AssetCode = keyof typeof ASSETS;

/** The unit of account: stakes, prices and option fees are in USDT. */
export const UNIT_OF_ACCOUNT = 'USDT' satisfies AssetCode;

export function isAssetCode(code: string): code is AssetCode {
  return Object.hasOwn(ASSETS, code);
}

export function scaleOf(asset: AssetCode): number {
  return ASSETS[asset].scale;
}
