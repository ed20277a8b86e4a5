import { describe, expect, test } from 'vitest';
import {
  computeIndexPrice,
  type IndexState,
  indexRulesOf,
  isPriceJump,
  medianOfVotes,
  type SourceReading,
} from './index-price.ts';

const RULES = indexRulesOf('families/1', 10_000n);
const NOW = 1_677_628_800_000;
const NOTHING: IndexState = new Map();

interface Said {
  price: bigint | null;
  family?: string;
  at?: number;
  trade?: string;
}

function readings(said: Record<string, Said | bigint>, at = NOW): SourceReading[] {
  return Object.entries(said).map(([name, entry]) => {
    const given = typeof entry === 'bigint' ? { price: entry } : entry;
    return {
      name,
      family: given.family ?? 'USDT',
      latest: given.price === null ? null : { price: given.price, at: given.at ?? at, trade: given.trade ?? `${at}` },
    };
  });
}
const usdt = (whole: number): bigint => BigInt(Math.round(whole * 1e6));
const at = (said: Record<string, Said | bigint>) => computeIndexPrice(NOW, readings(said), NOTHING, RULES);
const outcome = (said: Record<string, Said | bigint>) => {
  const result = at(said);
  return {
    price: result.stale ? 'stale' : result.price,
    excluded: Object.fromEntries(result.excluded.map(({ name, reason }) => [name, reason])),
  };
};

describe('the median', () => {
  test.each([
    ['odd: the middle one', { a: usdt(100), b: usdt(101), c: usdt(100.5) }, usdt(100.5)],
    [
      'even: the mean of the two in the middle',
      { a: usdt(100), b: usdt(101), c: usdt(100.5), d: usdt(100.7) },
      usdt(100.6),
    ],
    ['rounded down to the tick', { a: usdt(100), b: usdt(101), c: usdt(100.49), d: usdt(100.5) }, usdt(100.49)],
    ['a finer source is rounded down too', { a: usdt(100), b: usdt(100.009999), c: usdt(101) }, usdt(100)],
  ])('%s', (_, said, price) => {
    expect(outcome(said)).toEqual({ price, excluded: {} });
  });

  test('sources of another currency share one vote', () => {
    const usdc = (price: number): Said => ({ price: usdt(price), family: 'USDC' });
    // Three sources stand against two, but the three share one vote.
    const said = { a: usdt(100), b: usdt(100.2), c: usdc(101.9), d: usdc(101.9), e: usdc(101.9) };
    expect(outcome(said)).toEqual({ price: usdt(100.2), excluded: {} });
    expect(
      medianOfVotes([
        { name: 'd', family: 'USDC', price: 3n, at: 0 },
        { name: 'c', family: 'USDC', price: 4n, at: 0 },
      ]),
    ).toBe(3n);
  });
});

describe('excluded sources', () => {
  const good = { a: usdt(100), b: usdt(100.1), c: usdt(100.2) };
  test.each<[string, Said | bigint, string | undefined]>([
    ['C1: a thousand times the price', usdt(100_000), 'far'],
    ['a thousandth of the price', usdt(0.1), 'far'],
    ['just beyond 2% of the median of all four', usdt(102.2), 'far'],
    ['just within 2%', usdt(102.1), undefined],
    ['5 s old is still good', { price: usdt(100), at: NOW - 5_000 }, undefined],
    ['older than 5 s', { price: usdt(100), at: NOW - 5_001 }, 'old'],
    ['C5: a second ahead is a clock, not a lie', { price: usdt(100), at: NOW + 1_000 }, undefined],
    ['C5: from the future', { price: usdt(100), at: NOW + 1_001 }, 'ahead'],
    ['has said nothing', { price: null }, 'silent'],
    ['says zero', 0n, 'silent'],
    ['says less than zero', -5n, 'silent'],
    ['says what a tick has no room for', 10n ** 18n, 'silent'],
    ['counts its time in nanoseconds', { price: usdt(100), at: NOW * 1_000_000 }, 'silent'],
    ['has a time between two ms', { price: usdt(100), at: NOW - 0.5 }, 'silent'],
    ['has no time', { price: usdt(100), at: Number.NaN }, 'silent'],
  ])('%s', (_, said, reason) => {
    const result = outcome({ ...good, d: said });
    expect(result.excluded.d).toBe(reason);
    expect(result.price).not.toBe('stale');
  });

  test('a price below the coin’s step is no price', () => {
    const said = { a: 9_999n, b: 9_998n, c: 9_997n };
    expect(outcome(said).price).toBe('stale');
  });

  test('C1: the price follows the other sources', () => {
    expect(outcome({ ...good, d: usdt(100_000) }).price).toBe(usdt(100.1));
  });

  test('C2: two live sources give no index', () => {
    expect(outcome({ a: usdt(100), b: usdt(100), c: { price: null } })).toEqual({
      price: 'stale',
      excluded: { c: 'silent' },
    });
    expect(outcome({ a: usdt(100), b: usdt(100), c: usdt(200) })).toEqual({ price: 'stale', excluded: { c: 'far' } });
    expect(outcome({}).price).toBe('stale');
  });

  test('three sources with two votes give no index, because neither vote can be judged wrong', () => {
    const usdc = { price: usdt(101), family: 'USDC' };
    expect(outcome({ a: usdt(100), c: usdc, d: usdc }).price).toBe('stale');
  });

  test('two groups of equal size give no price, because neither can be judged wrong', () => {
    expect(outcome({ a: usdt(100), b: usdt(100), c: usdt(105), d: usdt(105) }).price).toBe('stale');
  });

  test('giving a source twice is a bug', () => {
    const [one] = readings({ a: usdt(1) });
    expect(() => computeIndexPrice(NOW, [one as SourceReading, one as SourceReading], NOTHING, RULES)).toThrow(
      RangeError,
    );
  });
});

describe('over time', () => {
  /** Runs the rule second by second; returns the excluded sources of each second, with the reasons. */
  function run(seconds: Record<string, Said | bigint>[]) {
    let state = NOTHING;
    return seconds.map((said, second) => {
      const now = NOW + second * 1_000;
      const result = computeIndexPrice(now, readings(said, now), state, RULES);
      state = result.state;
      return {
        price: result.stale ? null : result.price,
        excluded: result.excluded.map(({ name, reason }) => `${name} ${reason}`).join(),
      };
    });
  }
  const good = { a: usdt(100), b: usdt(100), c: usdt(100) };

  test('C3: the same price and no trade for 30 s exclude a source', () => {
    const still = { price: usdt(100), trade: 'same' };
    const seconds = run([
      ...Array.from({ length: 32 }, () => ({ ...good, d: still })),
      { ...good, d: { ...still, trade: 'next' } },
    ]);
    expect(seconds.map(({ excluded }) => excluded)).toEqual([
      ...Array.from({ length: 30 }, () => ''),
      'd stuck',
      'd stuck',
      '',
    ]);
  });

  test('a constant price with trades is not stuck', () => {
    expect(
      run(Array.from({ length: 60 }, () => good)).every(
        ({ excluded, price }) => excluded === '' && price === usdt(100),
      ),
    ).toBe(true);
  });

  test('hysteresis: a source is excluded beyond 2% and returns below 1%', () => {
    const seconds = run([101, 102.1, 101.5, 101, 100.99, 101.9].map((price) => ({ ...good, d: usdt(price) })));
    expect(seconds.map(({ excluded }) => excluded)).toEqual(['', 'd far', 'd far', 'd far', '', '']);
  });

  test('a source that was excluded for distance and fell silent is still excluded when it reports again', () => {
    const seconds = run([
      { ...good, d: usdt(110) },
      { ...good, d: { price: null } },
      { ...good, d: usdt(101.5) },
    ]);
    expect(seconds.map(({ excluded }) => excluded)).toEqual(['d far', 'd silent', 'd far']);
  });

  test('C5: a source that reports an earlier time is excluded until it has passed the latest one', () => {
    const said = (age: number): Said => ({ price: usdt(100), at: NOW + 2_000 - age });
    expect(
      run([
        { ...good, d: { price: usdt(100), at: NOW } },
        { ...good, d: said(3_000) },
        { ...good, d: said(0) },
      ]).map(({ excluded }) => excluded),
    ).toEqual(['', 'd backwards', '']);
  });

  test('one time far ahead does not exclude a source for long', () => {
    const seconds = run([
      { ...good, d: { price: usdt(100), at: NOW + 600_000 } },
      { ...good, d: usdt(100) },
    ]);
    expect(seconds.map(({ excluded }) => excluded)).toEqual(['d ahead', '']);
  });

  test('C4: a move of all sources by 20% in a second is published, and a larger one is flagged as a jump', () => {
    const seconds = run([good, { a: usdt(121), b: usdt(121), c: usdt(121) }]);
    expect(seconds.map(({ price }) => price)).toEqual([usdt(100), usdt(121)]);
    expect([isPriceJump(100n, 120n), isPriceJump(100n, 121n), isPriceJump(100n, 80n), isPriceJump(100n, 79n)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('with two votes no source is excluded', () => {
    const seconds = run([
      { a: usdt(100), b: usdt(110) },
      { ...good, b: usdt(101.5) },
    ]);
    expect(seconds).toEqual([
      { price: null, excluded: '' },
      { price: usdt(100), excluded: '' },
    ]);
  });
});
