import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { onGrid, stepOf } from '@sathorn/proof';
import { hash, roll } from './random-walk.ts';
import type { SimulatedMarket } from './simulated-price.ts';
import type { Source } from './source.ts';

/** Five venues that see the same market, each a little differently. */
export const SIMULATED_VENUES = ['sim-1', 'sim-2', 'sim-3', 'sim-4', 'sim-5'] as const;

/** In each stretch of ten minutes a venue may drop out once, for some seconds. */
const STRETCH_S = 600;
const OUTAGE_CHANCE = 0.05;
const OUTAGE_S_MAX = 40;
/** Half of the usual distance between bid and ask, and how far a venue's opinion drifts: shares of the price. */
const HALF_SPREAD = 0.00004;
const OPINION = 0.00008;

// What is drawn at random about a venue, one number each.
const DRAW = { outage: 1, outageStart: 2, outageLength: 3, lag: 4, side: 5, opinion: 6, trade: 7, volume: 8 };

export function simulatedVenues(market: SimulatedMarket): Source[] {
  return SIMULATED_VENUES.map((name) => simulatedVenue(name, market));
}

function simulatedVenue(name: string, market: SimulatedMarket): Source {
  const seeds = new Map(COIN_CODES.map((coin) => [coin, market.seedOf(`${name} ${coin}`)]));
  const venue = market.seedOf(name);
  const seedOf = (coin: CoinCode): number => seeds.get(coin) ?? 0;

  /** The newest second up to this one at which the venue was there. */
  const speakingAt = (second: number): number => {
    const stretch = Math.floor(second / STRETCH_S);
    if (roll(venue, DRAW.outage, stretch) >= OUTAGE_CHANCE) return second;
    const from = stretch * STRETCH_S + 1 + (hash(venue, DRAW.outageStart, stretch) % (STRETCH_S - OUTAGE_S_MAX - 1));
    const until = from + 8 + (hash(venue, DRAW.outageLength, stretch) % (OUTAGE_S_MAX - 8));
    return second >= from && second < until ? from - 1 : second;
  };

  /** Drifts between values drawn every 32 seconds. */
  const opinionAt = (seed: number, second: number): number => {
    const index = Math.floor(second / 32);
    const share = (second - index * 32) / 32;
    return (
      OPINION *
      ((roll(seed, DRAW.opinion, index) - 0.5) * (1 - share) + (roll(seed, DRAW.opinion, index + 1) - 0.5) * share) *
      2
    );
  };

  return {
    name,
    family: 'USDT',
    coins: COIN_CODES,
    latest(coin, at) {
      const seed = seedOf(coin);
      const second = speakingAt(Math.floor(at / 1_000));
      // Now and then nobody trades for a second: then the venue still says what it said.
      const trade = roll(seed, DRAW.trade, second) < 0.06 ? second - 1 : second;
      const lagMs = 20 + (hash(seed, DRAW.lag, trade) % 900);
      const side = roll(seed, DRAW.side, trade) < 0.5 ? -HALF_SPREAD : HALF_SPREAD;
      const exact = market.price(coin, lagMs > 600 ? trade - 1 : trade) * (1 + opinionAt(seed, trade) + side);
      const step = stepOf(coin);
      const price = onGrid(BigInt(Math.round(exact * 1e6)), step);
      return { price: price > 0n ? price : step, at: second * 1_000 - lagMs, trade: String(trade) };
    },
    takeVolume(coin, at) {
      const second = Math.floor(at / 1_000);
      if (speakingAt(second) !== second) return 0n;
      const share = roll(seedOf(coin), DRAW.volume, second) * 2;
      return BigInt(Math.round((market.volume(coin, second) / SIMULATED_VENUES.length) * share * 1e8));
    },
    start() {},
    async stop() {},
  };
}
