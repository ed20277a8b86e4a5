import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { cacheLatestAnswer, type KeyedRandom } from './keyed-random.ts';
import type { PriceSource } from './price-source.ts';
import type { SimulatedMarket } from './simulated-price.ts';

/** Five venues that observe the same market, each with small differences, and report the mid of their books. */
export const SIMULATED_VENUES = ['sim-1', 'sim-2', 'sim-3', 'sim-4', 'sim-5'] as const;

/** In each stretch of ten minutes a venue may be silent once, for some seconds. */
const STRETCH_S = 600;
const OUTAGE_CHANCE = 0.05;
const OUTAGE_S_MAX = 40;
/** How far a trade shifts a venue's mid, and how far a venue drifts from the market, as shares of the price. */
const LEAN = 0.000004;
const BIAS = 0.00008;

// Kinds of random draws about a venue, and about a coin at a venue.
const DRAW = { outage: 1, outageStart: 2, outageLength: 3 };
const COIN_DRAW = { second: 1, bias: 2 };

export function simulatedVenues(market: SimulatedMarket): PriceSource[] {
  return SIMULATED_VENUES.map((name) => simulatedVenue(name, market));
}

interface CoinAtVenue {
  /** Random shares per second: whether a trade happens, which way the book leans, how much is traded. */
  readonly second: (second: number) => readonly number[];
  readonly lagMs: (second: number) => number;
  /** The biases at both ends of a 32-second stretch. */
  readonly biases: (stretch: number) => readonly [number, number];
}

function coinAtVenue(draws: KeyedRandom, lags: KeyedRandom): CoinAtVenue {
  const bias = (stretch: number): number => draws.share(COIN_DRAW.bias, stretch) - 0.5;
  return {
    second: cacheLatestAnswer((second) => draws.shares(COIN_DRAW.second, second)),
    lagMs: cacheLatestAnswer((second) => 20 + lags.below(900, 0, second)),
    biases: cacheLatestAnswer((stretch) => [bias(stretch), bias(stretch + 1)]),
  };
}

function simulatedVenue(name: string, market: SimulatedMarket): PriceSource {
  // Lags have their own key, because the time of every price is published.
  const there = new Map<CoinCode, CoinAtVenue>(
    COIN_CODES.map((coin) => [
      coin,
      coinAtVenue(market.drawsOf(`${name} ${coin}`), market.drawsOf(`${name} ${coin} lag`)),
    ]),
  );
  const venueStateOf = (coin: CoinCode): CoinAtVenue => {
    const its = there.get(coin);
    if (!its) throw new RangeError(`${coin} is not simulated`);
    return its;
  };
  const venue = market.drawsOf(name);

  const outageOf = cacheLatestAnswer((stretch): { from: number; until: number } | null => {
    if (venue.share(DRAW.outage, stretch) >= OUTAGE_CHANCE) return null;
    const from = stretch * STRETCH_S + 1 + venue.below(STRETCH_S - OUTAGE_S_MAX - 1, DRAW.outageStart, stretch);
    return { from, until: from + 8 + venue.below(OUTAGE_S_MAX - 8, DRAW.outageLength, stretch) };
  });

  /** The newest second up to this one at which the venue was reporting. */
  const lastReportingSecond = (second: number): number => {
    const outage = outageOf(Math.floor(second / STRETCH_S));
    return outage !== null && second >= outage.from && second < outage.until ? outage.from - 1 : second;
  };

  /** Interpolates between biases drawn every 32 seconds. */
  const biasAt = ({ biases }: CoinAtVenue, second: number): number => {
    const index = Math.floor(second / 32);
    const share = (second - index * 32) / 32;
    const [from, to] = biases(index);
    return BIAS * (from * (1 - share) + to * share) * 2;
  };

  return {
    name,
    family: 'USDT',
    coins: COIN_CODES,
    latest(coin, at) {
      const its = venueStateOf(coin);
      const second = lastReportingSecond(Math.floor(at / 1_000));
      // In some seconds nobody trades, and the venue still reports its last price.
      const trade = (its.second(second)[0] ?? 0) < 0.06 ? second - 1 : second;
      const lagMs = its.lagMs(trade);
      const lean = LEAN * (2 * (its.second(trade)[1] ?? 0) - 1);
      const exact = market.price(coin, lagMs > 600 ? trade - 1 : trade) * (1 + biasAt(its, trade) + lean);
      return { price: BigInt(Math.max(Math.round(exact * 1e6), 1)), at: second * 1_000 - lagMs, trade: String(trade) };
    },
    takeVolume(coin, at) {
      const second = Math.floor(at / 1_000);
      if (lastReportingSecond(second) !== second) return 0n;
      const share = (venueStateOf(coin).second(second)[2] ?? 0) * 2;
      return BigInt(Math.round((market.volume(coin, second) / SIMULATED_VENUES.length) * share * 1e8));
    },
    start() {},
    async stop() {},
  };
}
