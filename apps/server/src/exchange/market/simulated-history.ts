import { INTERVALS, type Interval } from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import { indexStepOf, roundToStep } from '@sathorn/proof';
import { aggregateBars, type Bar, INTERVAL_MS, intervalStartOf } from './candle.ts';
import { INDEX_RULE } from './index-publisher.ts';
import type { SimulatedMarket } from './simulated-price.ts';

/**
 * How far back each interval reaches, and the step between the prices from which its oldest bars are computed. A bar
 * that finer bars cover is computed from them, so that all intervals agree where they overlap.
 */
const REACH: Record<Interval, { readonly bars: number; readonly stepS: number }> = {
  // A day and an hour, because the 24-hour figures are computed from minutes.
  '1m': { bars: 1_500, stepS: 20 },
  '5m': { bars: 576, stepS: 100 },
  '15m': { bars: 480, stepS: 300 },
  '30m': { bars: 480, stepS: 600 },
  '1h': { bars: 480, stepS: 900 },
  '4h': { bars: 480, stepS: 3_600 },
  '1d': { bars: 730, stepS: 21_600 },
  '1w': { bars: 104, stepS: 86_400 },
};

/**
 * Computes the bars that a coin's charts would contain if the simulator had always run, up to but not including `end`
 * (ms since 1970). Each bar is marked as simulated.
 */
export function simulatedHistory(market: SimulatedMarket, coin: CoinCode, end: number): Map<Interval, Bar[]> {
  const history = new Map<Interval, Bar[]>();
  let finer: Bar[] = [];
  for (const interval of INTERVALS) {
    const { bars, stepS } = REACH[interval];
    const last = intervalStartOf(interval, end - 1);
    const first = last - (bars - 1) * INTERVAL_MS[interval];
    // Finer bars may start in the middle of a wide bar, so only the next wide bar is covered completely.
    const finerFrom =
      finer[0] === undefined
        ? last + INTERVAL_MS[interval]
        : intervalStartOf(interval, finer[0].at + INTERVAL_MS[interval] - 1);
    const made: Bar[] = [];
    for (let at = first; at < Math.min(finerFrom, last + 1); at += INTERVAL_MS[interval]) {
      made.push(simulateBar(market, coin, at, Math.min(at + INTERVAL_MS[interval], end), stepS));
    }
    const summed = aggregateBars(
      finer.filter(({ at }) => at >= finerFrom),
      interval,
    );
    finer = [...made, ...summed];
    history.set(interval, finer);
  }
  return history;
}

/**
 * Computes a bar from the prices every `stepS` seconds, up to its last second. Rounding keeps the prices' order, so
 * only the four prices of the bar are rounded.
 */
function simulateBar(market: SimulatedMarket, coin: CoinCode, at: number, until: number, stepS: number): Bar {
  const from = at / 1_000;
  const to = Math.max(from, Math.floor(until / 1_000) - 1);
  const open = market.price(coin, from);
  let [high, low] = [open, open];
  let traded = market.volume(coin, from) * Math.min(stepS, to - from + 1);
  for (let second = from + stepS; second <= to; second += stepS) {
    const price = market.price(coin, second);
    if (price > high) high = price;
    else if (price < low) low = price;
    traded += market.volume(coin, second) * Math.min(stepS, to - second + 1);
  }
  const close = market.price(coin, to);
  const rounded = (usdt: number): bigint => roundPrice(usdt, coin);
  return {
    at,
    open: rounded(open),
    high: rounded(Math.max(high, close)),
    low: rounded(Math.min(low, close)),
    close: rounded(close),
    volume: BigInt(Math.round(traded * 1e8)),
    simulated: true,
  };
}

function roundPrice(usdt: number, coin: CoinCode): bigint {
  const step = indexStepOf(coin, INDEX_RULE);
  const price = roundToStep(BigInt(Math.round(usdt * 1e6)), step);
  return price > 0n ? price : step;
}
