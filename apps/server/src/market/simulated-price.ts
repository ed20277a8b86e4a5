import { createHash } from 'node:crypto';
import type { CoinCode } from '@sathorn/money';
import { exponential, moodAt, roll, type Walk, type WalkShape, walkOf } from './random-walk.ts';

/** What a coin is like: where it stands, how restless it is, how much it follows the market, how much is traded. */
interface Character {
  readonly usdt: number;
  readonly own: WalkShape;
  /** Moves with the market as a whole by this factor. */
  readonly beta: number;
  /** USDT a day. */
  readonly turnover: number;
}

/** A yearly deviation as one of a second: a year has 31,557,600 seconds. */
const yearly = (share: number): number => share / Math.sqrt(31_557_600);

const MARKET: WalkShape = { perSecond: yearly(0.42), longRun: 0.2 };
const CHARACTERS: Record<CoinCode, Character> = {
  BTC: { usdt: 92_400, own: { perSecond: yearly(0.2), longRun: 0.05 }, beta: 1, turnover: 1.9e9 },
  ETH: { usdt: 3_180, own: { perSecond: yearly(0.38), longRun: 0.09 }, beta: 1.15, turnover: 1.2e9 },
  BNB: { usdt: 894, own: { perSecond: yearly(0.36), longRun: 0.08 }, beta: 0.9, turnover: 2.4e8 },
  SOL: { usdt: 146, own: { perSecond: yearly(0.55), longRun: 0.12 }, beta: 1.3, turnover: 5.2e8 },
  XRP: { usdt: 2.24, own: { perSecond: yearly(0.62), longRun: 0.12 }, beta: 1.1, turnover: 4.1e8 },
  DOGE: { usdt: 0.168, own: { perSecond: yearly(0.7), longRun: 0.13 }, beta: 1.3, turnover: 2.2e8 },
  ADA: { usdt: 0.462, own: { perSecond: yearly(0.6), longRun: 0.12 }, beta: 1.2, turnover: 1.1e8 },
  TRX: { usdt: 0.286, own: { perSecond: yearly(0.34), longRun: 0.08 }, beta: 0.6, turnover: 9e7 },
};

/** A simulated market: every price a function of the seed and the second, whoever asks, whenever. */
export interface SimulatedMarket {
  /** USDT for one coin, before any venue's noise and before rounding. */
  price(coin: CoinCode, second: number): number;
  /** Coins traded a second around that time, over all venues. */
  volume(coin: CoinCode, second: number): number;
  /** A number for everything else that is drawn at random about this name. */
  seedOf(name: string): number;
}

export function simulatedMarket(seed: string): SimulatedMarket {
  const seedOf = (name: string): number => createHash('sha256').update(`${seed}\n${name}`).digest().readUInt32BE(0);
  const market = walkOf(seedOf('market'), MARKET);
  const coins = new Map<CoinCode, { readonly seed: number; readonly walk: Walk }>();
  for (const [coin, { own }] of Object.entries(CHARACTERS) as [CoinCode, Character][])
    coins.set(coin, { seed: seedOf(coin), walk: walkOf(seedOf(coin), own) });

  const ownOf = (coin: CoinCode): { readonly seed: number; readonly walk: Walk } => {
    const own = coins.get(coin);
    if (!own) throw new RangeError(`${coin} is not simulated`);
    return own;
  };
  const price: SimulatedMarket['price'] = (coin, second) => {
    const { usdt, beta } = CHARACTERS[coin];
    return usdt * exponential(beta * market(second) + ownOf(coin).walk(second));
  };
  return {
    seedOf,
    price,
    volume(coin, second) {
      const own = ownOf(coin).seed;
      const average = CHARACTERS[coin].turnover / 86_400 / CHARACTERS[coin].usdt;
      // More is traded when prices are restless; each minute has a level of its own.
      const minute = roll(own ^ 0x766f6c, 60, Math.floor(second / 60));
      return average * moodAt(own, second) * (0.35 + 1.9 * minute * minute);
    },
  };
}
