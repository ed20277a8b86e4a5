import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { hash, roll } from './random-walk.ts';
import type { SimulatedMarket } from './simulated-price.ts';
import type { Source } from './source.ts';

/** Five venues that see the same market, each a little differently, and say the mid of their books. */
export const SIMULATED_VENUES = ['sim-1', 'sim-2', 'sim-3', 'sim-4', 'sim-5'] as const;

/** In each stretch of ten minutes a venue may drop out once, for some seconds. */
const STRETCH_S = 600;
const OUTAGE_CHANCE = 0.05;
const OUTAGE_S_MAX = 40;
/** How far a venue's opinion drifts, and what an order resting or taken shifts its mid by: shares of the price. */
const LEAN = 0.000004;
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
      const lean = LEAN * (2 * roll(seed, DRAW.side, trade) - 1);
      const exact = market.price(coin, lagMs > 600 ? trade - 1 : trade) * (1 + opinionAt(seed, trade) + lean);
      return { price: BigInt(Math.max(Math.round(exact * 1e6), 1)), at: second * 1_000 - lagMs, trade: String(trade) };
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
