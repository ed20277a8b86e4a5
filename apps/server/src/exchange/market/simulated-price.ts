import type { CoinCode } from '@sathorn/money';
import { cacheLatestAnswer, KeyedRandom } from './keyed-random.ts';
import { exponential, type PriceWalk, priceWalkOf, volatilityOf, type WalkShape } from './random-walk.ts';

/** A coin's price level, volatility, correlation with the market and traded volume. */
interface Character {
  readonly usdt: number;
  readonly own: WalkShape;
  /** How strongly the coin moves with the market as a whole. */
  readonly beta: number;
  /** USDT traded per day. */
  readonly turnover: number;
}

/** Converts a yearly deviation to one per second: a year has 31,557,600 seconds. */
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

/** A coin's price at which this simulation took over from another one. */
export interface PriceAnchor {
  readonly second: number;
  /** The offset on the logarithm of the price. */
  readonly shift: number;
}
export type PriceAnchors = Partial<Record<CoinCode, PriceAnchor>>;

/** An offset fades over thirty days, so its change per second is a hundredth of a normal price move. */
const FADE_S = 30 * 86_400;

/** A simulated market: every price is a function of the seed and the second. */
export interface SimulatedMarket {
  /** USDT per coin, before any venue's noise and before rounding. */
  price(coin: CoinCode, second: number): number;
  /** Coins traded per second around that time, over all venues. */
  volume(coin: CoinCode, second: number): number;
  /** A generator for all other random values of this name. */
  drawsOf(name: string): KeyedRandom;
}

export interface OpenedSimulation extends SimulatedMarket {
  /** When this database first ran the simulation. */
  readonly startedAt: Date;
}

interface CoinWalk {
  readonly walk: PriceWalk;
  readonly volatility: (second: number) => number;
  /** Random shares per minute. */
  readonly minute: (minute: number) => number;
}

/** The kind of draws for the volume of a minute. */
const VOLUME_KIND = 0;

export function simulatedMarket(seed: string, anchors: PriceAnchors = {}): SimulatedMarket {
  const drawsOf = (name: string): KeyedRandom => new KeyedRandom(seed, name);
  const market = remembering(priceWalkOf(drawsOf('market'), MARKET));
  const coins = new Map<CoinCode, CoinWalk>();
  for (const [coin, { own }] of Object.entries(CHARACTERS) as [CoinCode, Character][]) {
    const draws = drawsOf(coin);
    const volumes = drawsOf(`${coin} volume`);
    const minute = cacheLatestAnswer((index: number) => volumes.share(VOLUME_KIND, index));
    coins.set(coin, { walk: priceWalkOf(draws, own), volatility: volatilityOf(draws), minute });
  }

  const ownOf = (coin: CoinCode): CoinWalk => {
    const own = coins.get(coin);
    if (!own) throw new RangeError(`${coin} is not simulated`);
    return own;
  };
  const shiftAt = (coin: CoinCode, second: number): number => {
    const anchor = anchors[coin];
    if (anchor === undefined) return 0;
    const faded = Math.min(Math.max((second - anchor.second) / FADE_S, 0), 1);
    return anchor.shift * (1 - faded);
  };
  const price: SimulatedMarket['price'] = (coin, second) => {
    const { usdt, beta } = CHARACTERS[coin];
    return usdt * exponential(beta * market(second) + ownOf(coin).walk(second) + shiftAt(coin, second));
  };
  return {
    drawsOf,
    price,
    volume(coin, second) {
      const own = ownOf(coin);
      const average = CHARACTERS[coin].turnover / 86_400 / CHARACTERS[coin].usdt;
      // Volume grows with volatility, and each minute has its own level.
      const minute = own.minute(Math.floor(second / 60));
      return average * own.volatility(second) * (0.35 + 1.9 * minute * minute);
    },
  };
}

/** Caches recent seconds, because all coins request the same few seconds of the market one after the other. */
function remembering(walk: PriceWalk): PriceWalk {
  let known = new Map<number, number>();
  return (second) => {
    let value = known.get(second);
    if (value === undefined) {
      value = walk(second);
      if (known.size >= REMEMBERED_MAX) known = new Map();
      known.set(second, value);
    }
    return value;
  };
}
const REMEMBERED_MAX = 65_536;
