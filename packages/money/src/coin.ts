import { type AssetCode, scaleOf } from './asset.ts';
import { PRICE_SCALE } from './price.ts';

/**
 * A coin traded against USDT. `priceDecimals` is the book's price step and `lotDecimals` the step of quantities. The
 * index is a mean of many books and has a finer step: at most 0.07 basis points, a fortieth of a quiet coin's move in
 * 30 seconds.
 */
export interface Coin {
  readonly code: CoinCode;
  readonly name: string;
  readonly priceDecimals: number;
  readonly indexDecimals: number;
  readonly lotDecimals: number;
}

export const COINS = {
  BTC: { code: 'BTC', name: 'Bitcoin', priceDecimals: 2, indexDecimals: 2, lotDecimals: 5 },
  ETH: { code: 'ETH', name: 'Ethereum', priceDecimals: 2, indexDecimals: 2, lotDecimals: 4 },
  BNB: { code: 'BNB', name: 'BNB', priceDecimals: 2, indexDecimals: 3, lotDecimals: 3 },
  SOL: { code: 'SOL', name: 'Solana', priceDecimals: 2, indexDecimals: 4, lotDecimals: 3 },
  XRP: { code: 'XRP', name: 'XRP', priceDecimals: 4, indexDecimals: 5, lotDecimals: 1 },
  DOGE: { code: 'DOGE', name: 'Dogecoin', priceDecimals: 5, indexDecimals: 6, lotDecimals: 0 },
  ADA: { code: 'ADA', name: 'Cardano', priceDecimals: 4, indexDecimals: 6, lotDecimals: 1 },
  TRX: { code: 'TRX', name: 'TRON', priceDecimals: 5, indexDecimals: 6, lotDecimals: 0 },
} as const satisfies Partial<
  Record<
    AssetCode,
    { code: AssetCode; name: string; priceDecimals: number; indexDecimals: number; lotDecimals: number }
  >
>;

export type CoinCode = keyof typeof COINS;
export const COIN_CODES = Object.keys(COINS) as CoinCode[];

export function isCoinCode(code: string): code is CoinCode {
  return Object.hasOwn(COINS, code);
}

/** The smallest step of a coin's price, in units of a price. */
export const priceStepUnits = (coin: CoinCode): bigint => 10n ** BigInt(PRICE_SCALE - COINS[coin].priceDecimals);
/** One lot in the coin's smallest unit. */
export const lotUnits = (coin: CoinCode): bigint => 10n ** BigInt(scaleOf(coin) - COINS[coin].lotDecimals);
