import { COIN_CODES, type CoinCode, money, type Price, price } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { CONTRACT_FEES } from './contract-terms.ts';
import { decideQuotes, isFastMarketAt, isRequoteDue, lastFastMs, type PlacedQuotes } from './decide-quotes.ts';
import { QUOTE_TERMS } from './quote-terms.ts';

/**
 * A customer sees the market before the index does, pays the lowest of all fees, and takes each quote of the house that
 * is worth more than its price plus the fee. The customer sells everything elsewhere at once, without cost.
 */
const STEP_MS = 50;
/** The market maker checks the index this often, and its quotes take `DELAY_MS` to reach the book. */
const LOOK_MS = 250;
const DELAY_MS = 100;
const QUIET_MS = 60_000;

/** Volatility per second in parts of 10,000: the simulated market's, which is that of a usual day. */
const SIGMA: Record<CoinCode, number> = {
  BTC: 0.83,
  ETH: 1.08,
  BNB: 0.93,
  SOL: 1.39,
  XRP: 1.38,
  DOGE: 1.58,
  ADA: 1.4,
  TRX: 0.75,
};
const PRICES: Record<CoinCode, number> = {
  BTC: 92_400,
  ETH: 3_180,
  BNB: 894,
  SOL: 146,
  XRP: 2.24,
  DOGE: 0.168,
  ADA: 0.462,
  TRX: 0.286,
};

/** Uniform on (0, 1) and seeded (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
}

const LOWEST = Math.min(...CONTRACT_FEES.map(({ takerBps }) => takerBps));

interface Rested {
  readonly side: 'buy' | 'sell';
  readonly limit: number;
  size: number;
}
interface Flow {
  readonly leadMs: number;
  readonly takerBps: number;
  /** The volatility as a multiple of the usual one. */
  readonly times?: number;
  /** USDT that customers without knowledge of the future buy or sell per minute. */
  readonly honestUsdt?: number;
  readonly hours?: number;
}

/**
 * Returns the attacker's gain and the house's total result in USDT per hour, the requotes per hour, and the share of
 * the time with quotes near the index.
 */
function trade(coin: CoinCode, { leadMs, takerBps, times = 1, honestUsdt = 0, hours = 2 }: Flow) {
  const next = uniform(7);
  const normal = (): number => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const terms = QUOTE_TERMS[coin];
  const perStep = (SIGMA[coin] / 10_000) * times * Math.sqrt(STEP_MS / 1_000);
  const fee = takerBps / 10_000;
  const seen: number[] = [];
  const lead = leadMs / STEP_MS;
  let [market, index] = [PRICES[coin], 0n as Price];
  let quoted: PlacedQuotes | null = null;
  let arriving: { readonly atMs: number; readonly quotes: Rested[] } | null = null;
  let resting: Rested[] = [];
  let [isFilled, filledMs] = [false, -QUIET_MS];
  let nearMs = 0;
  let [gained, house, requotes] = [0, 0, 0];
  const take = (quote: Rested, usdt: number): number => {
    const size = Math.min(quote.size, usdt / quote.limit);
    quote.size -= size;
    [isFilled, filledMs] = [true, atMs];
    const won = size * (quote.side === 'sell' ? market - quote.limit : quote.limit - market);
    house += size * quote.limit * fee - won;
    return won - size * quote.limit * fee;
  };
  let atMs = 0;
  for (; atMs < hours * 3_600_000; atMs += STEP_MS) {
    market *= 1 + perStep * normal();
    seen.push(market);
    if (atMs % 1_000 === 0) index = price(BigInt(Math.round((seen[seen.length - 1 - lead] ?? PRICES[coin]) * 1e6)));
    if (quoted !== null && !isFastMarketAt(quoted.fastMs, quoted.atMs)) nearMs += STEP_MS;
    if (arriving !== null && atMs >= arriving.atMs) [resting, arriving] = [arriving.quotes, null];
    if (atMs % LOOK_MS === 0 && arriving === null) {
      const isQuiet = atMs - filledMs >= QUIET_MS;
      const now = { index, terms, takerBps: BigInt(LOWEST), isFilled, isQuiet, atMs };
      if (isRequoteDue(quoted, now)) {
        const fastMs = lastFastMs(quoted, now);
        const isFast = isFastMarketAt(fastMs, atMs);
        const usdt = money('USDT', 600_000_000_000n);
        const coins = money(coin, BigInt(Math.round((600_000 / PRICES[coin]) * 1e4)) * 10n ** 4n);
        const quotes = decideQuotes({ coin, index, isFast, terms, coins, usdt });
        arriving = {
          atMs: atMs + DELAY_MS,
          quotes: quotes.map(({ side, price: limit, quantity }) => ({
            side,
            limit: Number(limit) / 1e6,
            size: Number(quantity.units) / 1e8,
          })),
        };
        quoted = { index, atMs, fastMs };
        isFilled = false;
        requotes += 1;
      }
    }
    for (const quote of resting) {
      const edge = (quote.side === 'sell' ? market - quote.limit : quote.limit - market) / quote.limit;
      if (quote.size > 0 && edge > fee) gained += take(quote, Number.POSITIVE_INFINITY);
    }
    if (honestUsdt > 0 && atMs % 60_000 === 30_000) {
      const side = next() < 0.5 ? 'buy' : 'sell';
      let left = honestUsdt;
      for (const quote of resting.filter((each) => each.side === side && each.size > 0)) {
        const before = quote.size;
        take(quote, left);
        left -= (before - quote.size) * quote.limit;
      }
    }
    if (seen.length > 2_000) seen.splice(0, 1_000);
  }
  return { gained: gained / hours, house: house / hours, requotes: requotes / hours, near: nearMs / hours / 3_600_000 };
}

describe('L8 a customer who sees the market before the index does', () => {
  it.each(COIN_CODES)('%s: gains nothing at the fee of level 0', (coin) => {
    expect(trade(coin, { leadMs: 1_000, takerBps: CONTRACT_FEES[0]?.takerBps ?? 0 }).gained).toBe(0);
  });

  it.each(COIN_CODES)('%s: gains at most 60 cents per hour at the lowest fee', (coin) => {
    for (const leadMs of [300, 1_000]) expect(trade(coin, { leadMs, takerBps: LOWEST }).gained).toBeLessThan(0.6);
  });

  it('gains less than 180 USDT per hour from all coins when they move three times as much', () => {
    const gained = COIN_CODES.map((coin) => trade(coin, { leadMs: 1_000, takerBps: LOWEST, times: 3 }).gained);
    expect(gained.reduce((sum, each) => sum + each, 0)).toBeLessThan(180);
  });

  it.each(COIN_CODES)('%s: gains less than the house earns from 500 USDT per minute of other customers', (coin) => {
    const { house, near } = trade(coin, { leadMs: 1_000, takerBps: LOWEST, honestUsdt: 500 });
    expect(house).toBeGreaterThan(15);
    // Quotes near the index exist nearly always.
    expect(near).toBeGreaterThan(0.85);
  });
});

it('a quote that the index has passed never gives away as much as the lowest fee earns', () => {
  for (const { halfSpreadBps, followBps } of Object.values(QUOTE_TERMS))
    expect(followBps - halfSpreadBps).toBeLessThan(BigInt(LOWEST));
});

it('an idle book is requoted at most 240 times per hour and coin', () => {
  for (const coin of COIN_CODES) expect(trade(coin, { leadMs: 0, takerBps: 1_000 }).requotes).toBeLessThan(240);
});
