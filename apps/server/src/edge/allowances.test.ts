import { describe, expect, it } from 'vitest';
import { Allowance, lineOf } from './allowances.ts';
import { TestClock } from './testing.ts';

describe('Allowance', () => {
  it('gives so many a minute to each caller, and says how long to wait', () => {
    const clock = new TestClock();
    const allowance = new Allowance(2, clock.elapsedMs);
    expect([allowance.take('a'), allowance.take('a'), allowance.take('a'), allowance.take('b')]).toEqual([0, 0, 60, 0]);
    clock.advance(45_500);
    expect(allowance.take('a')).toBe(15);
    clock.advance(14_500);
    expect(allowance.take('a')).toBe(0);
  });

  it.each([3_600_000, -3_600_000])('neither forgets nor locks out when the clock is set by %i ms', (ms) => {
    const clock = new TestClock();
    const allowance = new Allowance(1, clock.elapsedMs);
    allowance.take('a');
    clock.step(ms);
    expect(allowance.take('a')).toBe(60);
    clock.advance(60_000);
    expect(allowance.take('a')).toBe(0);
  });

  it('keeps no more callers than it has room for', () => {
    const allowance = new Allowance(1, () => 0);
    for (let n = 0; n < 200_000; n += 1) allowance.take(`caller ${n}`);
    expect(allowance.take('caller 0')).toBe(0);
  });
});

describe('lineOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
    ['', ''],
  ])('%s is %s', (address, line) => expect(lineOf(address)).toBe(line));
});
