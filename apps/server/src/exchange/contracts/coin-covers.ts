import type { CoinCode } from '@sathorn/money';
import type { CoinCover } from '@sathorn/settlement';

/** Synchronous if the result is in memory. */
export type ReadCoinCover = (coin: CoinCode, now: Date) => Promise<CoinCover> | CoinCover;
