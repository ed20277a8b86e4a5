import { describe, expect, it } from 'vitest';
import {
  findContradictions,
  parseSeenChains,
  rememberTicks,
  SEEN_TICKS_MAX,
  type SeenChains,
  tickRequestsOf,
} from './seen-ticks.ts';

const hash = (n: number) => n.toString(16).padStart(64, '0');
const ticker = (n: number, code = 'BTC') => ({ code, sequence: String(n), hash: hash(n) });
const START = Date.UTC(2036, 0, 1);
const NOBODY = new Set<string>();
const WATCHED = new Set(['BTC']);
const watch = (from: number, to: number, chains: SeenChains = {}): SeenChains => {
  let seen = chains;
  for (let n = from; n <= to; n += 1) seen = rememberTicks(seen, [ticker(n), ticker(n, 'ETH')], WATCHED, START);
  return seen;
};

describe('the memory of a chain', () => {
  it('contains the newest tick of each coin, and every tick of coins with an open order', () => {
    const seen = watch(5, 8);
    expect(seen.BTC?.head).toEqual(['8', hash(8)]);
    expect(seen.BTC?.ticks.map(([sequence]) => sequence)).toEqual(['5', '6', '7', '8']);
    expect(seen.ETH).toEqual({ head: ['8', hash(8)], ticks: [], since: START });
  });

  it('never goes back, and ignores tickers without a hash', () => {
    const seen = watch(5, 8);
    expect(rememberTicks(seen, [ticker(8), ticker(3)], WATCHED)).toBe(seen);
    expect(rememberTicks(seen, [{ code: 'BTC', sequence: '9' }], WATCHED)).toBe(seen);
    expect(rememberTicks({}, [{ code: 'BTC', sequence: '9' }], NOBODY)).toEqual({});
  });

  it('has a maximum size', () => {
    const seen = watch(1, SEEN_TICKS_MAX + 50);
    expect(seen.BTC?.ticks).toHaveLength(SEEN_TICKS_MAX);
    expect(seen.BTC?.ticks[0]?.[0]).toBe('51');
  });

  it('is contradicted by another hash for a known number', () => {
    const seen = watch(5, 8);
    expect(findContradictions(seen, [ticker(6), ticker(9), ticker(8, 'ETH')])).toEqual([]);
    expect(findContradictions(seen, [{ ...ticker(6), hash: hash(99) }])).toEqual(['BTC']);
    expect(findContradictions(seen, [{ ...ticker(8, 'ETH'), hash: hash(99) }])).toEqual(['ETH']);
  });

  it('is checked with at most two calls of few rows per coin', () => {
    expect(tickRequestsOf({ head: ['900', hash(900)], ticks: [] })).toEqual([{ from: '900', limit: 1 }]);
    const own = watch(1, 300).BTC;
    expect(own && tickRequestsOf(own)).toEqual([{ from: '241', limit: 60 }]);
    const later = rememberTicks(watch(1, 30), [ticker(5_000)], NOBODY).BTC;
    expect(later && tickRequestsOf(later)).toEqual([
      { from: '1', limit: 30 },
      { from: '5000', limit: 1 },
    ]);
  });

  it('is parsed from a store that may also contain other values', () => {
    const seen = watch(5, 8);
    expect(parseSeenChains(JSON.parse(JSON.stringify(seen)))).toEqual(seen);
    for (const other of [
      null,
      7,
      'x',
      { BTC: null },
      { BTC: { head: ['1', 'x'], ticks: [] } },
      { BTC: { head: ['1', hash(1)] } },
    ])
      expect(parseSeenChains(other)).toEqual({});
  });
});
