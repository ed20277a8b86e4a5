import { expect, test } from 'vitest';
import { sampledSource } from './sampled-source.ts';
import { ScriptedSource } from './testing.ts';

const START = Date.UTC(2026, 10, 20, 12, 0, 0);
const clock = { now: () => new Date(START) };

test('answers for a second from what had been reported by then, however late the call is', () => {
  const live = new ScriptedSource('a', ['BTC']);
  const source = sampledSource(live, clock);
  live.report('BTC', START - 200, 100n);
  expect(source.latest('BTC', START)?.price).toBe(100n);
  live.report('BTC', START + 700, 101n);
  expect(source.latest('BTC', START + 1_000)?.price).toBe(101n);
  live.report('BTC', START + 9_700, 109n);
  expect(source.latest('BTC', START)?.price).toBe(100n);
  expect(source.latest('BTC', START + 1_000)?.price).toBe(101n);
});

test('has no answer for a second in which nothing was reported, nor for one before its start', () => {
  const live = new ScriptedSource('a', ['BTC', 'ETH']);
  const source = sampledSource(live, clock);
  live.report('BTC', START + 9_700, 109n);
  expect(source.latest('BTC', START + 10_000)?.price).toBe(109n);
  for (const second of [-1, 0, 5, 9]) expect(source.latest('BTC', START + second * 1_000)).toBeNull();
  expect(source.latest('ETH', START + 10_000)).toBeNull();
  // A second in which a venue was silent stays without a price, whatever the venue reports later.
  live.report('ETH', START + 10_100, 5n);
  expect(source.latest('ETH', START + 10_000)).toBeNull();
  expect(source.latest('ETH', START + 11_000)?.price).toBe(5n);
});

test('stores a little more than a minute', () => {
  const live = new ScriptedSource('a', ['BTC']);
  const source = sampledSource(live, clock);
  for (let second = 0; second <= 100; second += 1) {
    live.report('BTC', START + second * 1_000, BigInt(100 + second));
    source.latest('BTC', START + second * 1_000);
  }
  expect(source.latest('BTC', START + 40_000)?.price).toBe(140n);
  expect(source.latest('BTC', START + 30_000)).toBeNull();
});
