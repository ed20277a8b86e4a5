import type { CoinCode } from '@sathorn/money';
import type { CoinCover } from '@sathorn/settlement';

export type CoinCovers = (coin: CoinCode, now: Date) => Promise<CoinCover>;
