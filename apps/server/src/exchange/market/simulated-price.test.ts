import { INTERVALS } from '@sathorn/api';
import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { computeIndexPrice, type IndexState, indexRulesOf, indexStepOf } from '@sathorn/proof';
import { describe, expect, test } from 'vitest';
import { aggregateBars, INTERVAL_MS, intervalStartOf } from './candle.ts';
import { INDEX_RULE } from './index-publisher.ts';
import { exponential } from './random-walk.ts';
import { simulatedHistory } from './simulated-history.ts';
import { simulatedMarket } from './simulated-price.ts';
import { SIMULATED_VENUES, simulatedVenues } from './simulated-venues.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 34, 56);
const second = NOW / 1_000;

test('the portable e^x equals the one of Math.exp', () => {
  for (let x = -8; x <= 8; x += 0.125) expect(exponential(x) / Math.exp(x)).toBeCloseTo(1, 10);
});

describe('the simulated market', () => {
  const market = simulatedMarket('a seed');

  test('is a function of seed and second: the same in any order of calls, for any caller', () => {
    const other = simulatedMarket('a seed');
    const forward = Array.from({ length: 50 }, (_, index) => market.price('ETH', second + index));
    const backward = Array.from({ length: 50 }, (_, index) => other.price('ETH', second + 49 - index)).reverse();
    expect(backward).toEqual(forward);
    expect(simulatedMarket('another').price('ETH', second)).not.toBe(forward[0]);
  });

  test('never changes: these prices were recorded when it was written', () => {
    expect(COIN_CODES.map((coin) => market.price(coin, 1_795_176_896).toPrecision(12))).toMatchInlineSnapshot(`
      [
        "154994.450411",
        "5287.21736548",
        "1318.65921309",
        "327.134319866",
        "3.56083560718",
        "0.380904377131",
        "0.704786503441",
        "0.320410904540",
      ]
    `);
  });

  test('moves like real markets per second and per day, within limits', () => {
    // The volatility that each coin's settings should produce: the market's 42% times the coin's beta plus its own,
    // scaled by the average activity of an hour.
    const asked: Record<CoinCode, number> = {
      BTC: 0.49,
      ETH: 0.65,
      BNB: 0.55,
      SOL: 0.82,
      XRP: 0.82,
      DOGE: 0.94,
      ADA: 0.83,
      TRX: 0.45,
    };
    for (const coin of COIN_CODES) {
      const deviation = (stepS: number, count: number): number => {
        let sum = 0;
        for (let index = 0; index < count; index += 1) {
          const at = second - index * stepS;
          sum += Math.log(market.price(coin, at) / market.price(coin, at - stepS)) ** 2;
        }
        return Math.sqrt((sum / count) * (31_557_600 / stepS));
      };
      for (const yearly of [deviation(1, 60_000), deviation(86_400, 700)]) {
        expect(yearly / asked[coin], coin).toBeGreaterThan(0.75);
        expect(yearly / asked[coin], coin).toBeLessThan(1.33);
      }
    }
  });

  test('five venues agree within a few hundredths of a percent, and the index is almost never without a price', () => {
    const venues = simulatedVenues(market);
    let state: IndexState = new Map();
    let stale = 0;
    let apart = 0;
    let silent = 0;
    const seconds = 20_000;
    for (let index = 0; index < seconds; index += 1) {
      const at = NOW + index * 1_000;
      const readings = venues.map((venue) => ({
        name: venue.name,
        family: venue.family,
        latest: venue.latest('BTC', at),
      }));
      const result = computeIndexPrice(at, readings, state, indexRulesOf(INDEX_RULE, indexStepOf('BTC', INDEX_RULE)));
      state = result.state;
      if (result.stale) stale += 1;
      else
        for (const { price } of result.used)
          apart = Math.max(apart, Math.abs(Number(price) / Number(result.price) - 1));
      silent += result.excluded.length;
    }
    expect(stale).toBe(0);
    expect(apart).toBeLessThan(0.003);
    // Each venue is occasionally silent.
    expect(silent).toBeGreaterThan(20);
    expect(silent).toBeLessThan(seconds * SIMULATED_VENUES.length * 0.02);
  });

  test('a venue never goes back in time, and reports some volume', () => {
    for (const venue of simulatedVenues(market)) {
      let last = 0;
      let volume = 0n;
      for (let index = 0; index < 3_000; index += 1) {
        const at = venue.latest('DOGE', NOW + index * 1_000)?.at ?? 0;
        expect(at).toBeGreaterThanOrEqual(last);
        expect(at).toBeLessThanOrEqual(NOW + index * 1_000);
        last = at;
        volume += venue.takeVolume('DOGE', NOW + index * 1_000);
      }
      expect(volume).toBeGreaterThan(0n);
    }
  });
});

describe('simulated history', () => {
  const market = simulatedMarket('history');
  const history = simulatedHistory(market, 'BTC', NOW);

  test('fills every interval up to now without a gap, all bars marked as simulated', () => {
    for (const interval of INTERVALS) {
      const bars = history.get(interval) ?? [];
      expect(bars.length, interval).toBeGreaterThan(100);
      const last = bars.at(-1);
      expect(last && last.at <= NOW && last.at + INTERVAL_MS[interval] > NOW, interval).toBe(true);
      for (const [index, bar] of bars.entries()) {
        expect(bar.simulated).toBe(true);
        expect(
          bar.low <= bar.open &&
            bar.low <= bar.close &&
            bar.high >= bar.open &&
            bar.high >= bar.close &&
            bar.volume > 0n,
        ).toBe(true);
        if (index > 0) expect(bar.at - (bars[index - 1]?.at ?? 0)).toBe(INTERVAL_MS[interval]);
      }
    }
    expect(history.get('1m')).toHaveLength(1_500);
    expect(NOW - (history.get('1d')?.[0]?.at ?? NOW)).toBeGreaterThan(728 * 86_400_000);
  });

  test('gives the same prices in all intervals where they overlap', () => {
    for (const [index, interval] of INTERVALS.entries()) {
      const finer = history.get(INTERVALS[index - 1] ?? interval) ?? [];
      // The first wide bar that the finer ones cover completely.
      const from = intervalStartOf(interval, (finer[0]?.at ?? 0) + INTERVAL_MS[interval] - 1);
      const wide = new Map((history.get(interval) ?? []).map((bar) => [bar.at, bar]));
      const summed = aggregateBars(
        finer.filter(({ at }) => at >= from),
        interval,
      );
      expect(summed.length).toBeGreaterThan(10);
      for (const bar of summed) expect(wide.get(bar.at), interval).toEqual(bar);
    }
  });

  test('ends where the next second begins', () => {
    const last = Number(history.get('1m')?.at(-1)?.close);
    expect(Math.abs((market.price('BTC', second) * 1e6) / last - 1)).toBeLessThan(0.002);
    for (const interval of INTERVALS) expect(Number(history.get(interval)?.at(-1)?.close)).toBe(last);
  });
});
