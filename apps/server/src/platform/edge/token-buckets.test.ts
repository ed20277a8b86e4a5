import { describe, expect, it } from 'vitest';
import { limitedNetworksOf } from './networks.ts';
import { TestClock } from './testing.ts';
import { TokenBuckets } from './token-buckets.ts';

describe('TokenBuckets', () => {
  it('allows a burst, then the rate, and no more after a long wait', () => {
    const clock = new TestClock();
    const buckets = new TokenBuckets({ perSecond: 2, burst: 3 }, clock.elapsedMs);
    const take = () => buckets.take('a');
    clock.advance(3_600_000);
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 500]);
    clock.advance(500);
    expect([take(), take()]).toEqual([0, 500]);
    expect(buckets.take('b')).toBe(0);
  });

  it('charges the cost of a request, and a cost above the burst waits for a full bucket', () => {
    const clock = new TestClock();
    const buckets = new TokenBuckets({ perSecond: 10, burst: 100 }, clock.elapsedMs);
    expect([buckets.take('a', 60), buckets.take('a', 60)]).toEqual([0, 2_000]);
    expect(buckets.take('b', 300)).toBe(0);
    expect(buckets.take('b', 1)).toBe(20_100);
  });

  it('gives a /48 eight times the tokens of one /64, however many of its /64 networks ask', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 10 }, () => 0);
    let taken = 0;
    for (let line = 0; line < 65_536; line += 1)
      for (let n = 0; n < 2; n += 1)
        if (buckets.take(limitedNetworksOf(`2001:db8:1:${line.toString(16)}::1`)) === 0) taken += 1;
    expect(taken).toBe(80);
    for (let n = 0; n < 11; n += 1) if (buckets.take(limitedNetworksOf(`2001:db8:2::${n}`)) === 0) taken += 1;
    expect(taken).toBe(90);
  });

  it('takes no tokens from an address whose /48 has none left', () => {
    const clock = new TestClock();
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, clock.elapsedMs);
    for (let line = 0; line < 8; line += 1) buckets.take(limitedNetworksOf(`2001:db8:1:${line}::1`));
    const late = limitedNetworksOf('2001:db8:1:ff::1');
    expect(buckets.take(late)).toBe(125);
    clock.advance(125);
    expect(buckets.take(late)).toBe(0);
  });

  it('stores at most the configured number of callers', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, () => 0);
    for (let n = 0; n < 200_001; n += 1) buckets.take(`caller ${n}`);
    expect(buckets.take('caller 0')).toBe(0);
  });
});
