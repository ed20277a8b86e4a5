import type { CoinCode } from '@sathorn/money';
import type { CoinCover } from '@sathorn/settlement';

/** Answers at once what is in memory. */
export type CoinCovers = (coin: CoinCode, now: Date) => Promise<CoinCover> | CoinCover;
