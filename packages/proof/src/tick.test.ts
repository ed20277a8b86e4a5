import { describe, expect, test } from 'vitest';
import { canonicalText } from './canonical.ts';
import { computeIndexPrice, type IndexState, indexRulesOf, type SourceReading } from './index-price.ts';
import { type SignedText, signText } from './signature.ts';
import {
  indexStepOf,
  NO_TICK_HASH,
  readTick,
  type Tick,
  type TickFault,
  tickOf,
  verifyTick,
  writeTick,
} from './tick.ts';

const seed = new Uint8Array(32).fill(7);
const publicKey = 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c';
const NOW = 1_677_628_800_000;

/** Builds a chain of real ticks from the prices of sources a to e, one row per second. */
function chain(rows: bigint[][]): SignedText[] {
  const texts: SignedText[] = [];
  let state: IndexState = new Map();
  for (const [second, row] of rows.entries()) {
    const at = NOW + second * 1_000;
    const readings: SourceReading[] = row.map((price, index) => ({
      name: 'abcde'[index] ?? '',
      family: 'USDT',
      latest: { price: price * 10_000n, at: at - 100, trade: String(at) },
    }));
    const result = computeIndexPrice(at, readings, state, indexRulesOf('families/1', indexStepOf('BTC', 'families/1')));
    state = result.state;
    if (result.stale) continue;
    const last = texts.at(-1);
    const before = last && readTick(last.body);
    const tick = tickOf(result, {
      coin: 'BTC',
      sequence: BigInt(texts.length + 1),
      at,
      rule: 'families/1',
      environment: 'sim',
      previous: last?.hash ?? NO_TICK_HASH,
      previousPrice: before?.price ?? null,
    });
    texts.push(signText(writeTick(tick), seed));
  }
  return texts;
}

const honest = chain([
  [10_000n, 10_001n, 10_002n, 10_300n],
  [10_001n, 10_002n, 10_003n, 10_150n],
  [10_001n, 10_002n, 10_003n, 10_050n],
  [13_000n, 13_001n, 13_002n, 13_003n],
]) as [SignedText, SignedText, SignedText, SignedText];

/** Returns the tick with a change, signed with the operator's own key, so that only the arithmetic can detect it. */
function forged(text: SignedText, change: (tick: Tick) => Partial<Tick>): SignedText {
  const tick = readTick(text.body) as Tick;
  return signText(writeTick({ ...tick, ...change(tick) }), seed);
}

async function faultOf(text: SignedText, previous?: SignedText): Promise<TickFault | null> {
  const verdict = await verifyTick(text, publicKey, previous);
  return verdict.ok ? null : verdict.fault;
}

describe('verifyTick', () => {
  test('a rule rounds to its own step, and a chain continues from one rule to the next', async () => {
    const votes = [461_749n, 461_753n, 461_761n].map((price, n) => ({
      name: `v${n}`,
      family: 'USDT',
      price,
      at: NOW - 100,
    }));
    const tick = (rule: string, price: bigint, before: SignedText | null): SignedText =>
      signText(
        writeTick({
          coin: 'ADA',
          sequence: before ? 2n : 1n,
          at: before ? NOW + 1_000 : NOW,
          price,
          rule,
          used: votes,
          excluded: [],
          environment: 'live',
          isJump: false,
          previous: before?.hash ?? NO_TICK_HASH,
        }),
        seed,
      );
    const old = tick('families/1', 461_700n, null);
    expect(await faultOf(old)).toBeNull();
    expect(await faultOf(tick('families/1', 461_753n, null))).toBe('price_differs');
    expect(await faultOf(tick('families/2', 461_753n, old), old)).toBeNull();
    expect(await faultOf(tick('families/2', 461_700n, old), old)).toBe('price_differs');
    expect(await faultOf(tick('families/3', 461_753n, null))).toBe('rule_unknown');
  });

  test('an honest chain verifies link by link, including jumps and hysteresis', async () => {
    expect(await faultOf(honest[0])).toBeNull();
    for (const [index, text] of honest.entries())
      if (index > 0) expect(await faultOf(text, honest[index - 1])).toBeNull();
    const ticks = honest.map(({ body }) => readTick(body));
    expect(ticks.map((tick) => tick?.excluded.map(({ name, reason }) => `${name} ${reason}`))).toEqual([
      ['d far'],
      ['d far'],
      [],
      [],
    ]);
    expect(ticks.map((tick) => tick?.isJump)).toEqual([false, false, false, true]);
  });

  test('it does not verify with one changed byte, anywhere', async () => {
    const [text] = honest;
    for (let at = 0; at < text.body.length; at += 1) {
      const body = text.body.slice(0, at) + String.fromCharCode(text.body.charCodeAt(at) ^ 1) + text.body.slice(at + 1);
      expect(await faultOf({ ...text, body })).toMatch(/body_malformed|hash_differs/);
    }
  });

  test('a source that was excluded before may not be called stuck after it has moved', async () => {
    const stuckAt = (price: bigint) => (tick: Tick) => ({
      used: tick.used.filter(({ name }) => name !== 'd'),
      excluded: [{ name: 'd', reason: 'stuck', family: 'USDT', said: { price, at: tick.at - 100 } }] as const,
    });
    const first = forged(honest[1], stuckAt(100_000_000n));
    const second = (price: bigint) => {
      const next = forged(honest[2], stuckAt(price));
      const tick = readTick(next.body) as Tick;
      return signText(writeTick({ ...tick, previous: first.hash }), seed);
    };
    const steady = (text: SignedText) => {
      const tick = readTick(text.body) as Tick;
      return signText(writeTick({ ...tick, price: 100_020_000n }), seed);
    };
    expect(await faultOf(steady(second(100_000_000n)), first)).toBeNull();
    expect(await faultOf(steady(second(100_010_000n)), first)).toBe('exclusion_unfounded');
  });

  const raise = (tick: Tick) =>
    tick.used.map((vote) => (vote.name === 'b' ? { ...vote, price: vote.price + 10_000n } : vote));
  test.each<[TickFault, (tick: Tick) => Partial<Tick>]>([
    ['price_differs', (tick) => ({ price: tick.price + 10_000n })],
    ['price_differs', (tick) => ({ price: tick.price + 1n })],
    ['price_differs', (tick) => ({ used: raise(tick) })],
    ['too_few_sources', (tick) => ({ used: tick.used.slice(1) })],
    ['too_few_sources', (tick) => ({ used: tick.used.map((vote) => ({ ...vote, family: 'USDC' })) })],
    ['source_old', (tick) => ({ used: tick.used.map((vote) => ({ ...vote, at: tick.at - 5_001 })) })],
    ['source_ahead', (tick) => ({ used: tick.used.map((vote) => ({ ...vote, at: tick.at + 1_001 })) })],
    [
      'source_far',
      (tick) => ({ used: [...tick.used, { name: 'e', family: 'USDT', price: tick.price * 2n, at: tick.at }] }),
    ],
    ['source_twice', (tick) => ({ used: [...tick.used, ...tick.used.slice(0, 1)] })],
    [
      'exclusion_unfounded',
      (tick) => ({
        used: tick.used,
        excluded: tick.used
          .slice(0, 1)
          .map(({ at, price }) => ({ name: 'e', reason: 'far', family: 'USDT', said: { price, at } })),
      }),
    ],
    [
      'exclusion_unfounded',
      (tick) => ({
        excluded: [{ name: 'e', reason: 'old', family: 'USDT', said: { price: tick.price, at: tick.at } }],
      }),
    ],
    [
      'exclusion_unfounded',
      (tick) => ({
        excluded: [{ name: 'e', reason: 'silent', family: 'USDT', said: { price: tick.price, at: tick.at } }],
      }),
    ],
    ['exclusion_unfounded', () => ({ excluded: [{ name: 'e', reason: 'stuck', family: 'USDT', said: null }] })],
    // Votes that are old or from a wrong clock would shift the median by which the others are judged.
    ...[-5_001, 1_001].map((awayMs): [TickFault, (tick: Tick) => Partial<Tick>] => [
      'exclusion_unfounded',
      (tick) => ({
        excluded: [
          { name: 'e', reason: 'far', family: 'USDT', said: { price: tick.price * 2n, at: tick.at + awayMs } },
        ],
      }),
    ]),
    ['price_differs', (tick) => ({ price: 0n, used: tick.used.map((vote) => ({ ...vote, price: 0n })), excluded: [] })],
    ['not_a_second', (tick) => ({ at: tick.at + 1 })],
    ['rule_unknown', () => ({ rule: 'families/9' })],
  ])('even with the right key: %s', async (fault, change) => {
    expect(await faultOf(forged(honest[0], change))).toBe(fault);
  });

  test.each<[TickFault, SignedText, SignedText]>([
    ['sequence_gap', honest[2], honest[0]],
    ['sequence_gap', honest[1], honest[1]],
    ['previous_differs', forged(honest[1], () => ({ previous: NO_TICK_HASH })), honest[0]],
    ['previous_differs', honest[1], forged(honest[0], (tick) => ({ at: tick.at - 1_000 }))],
    ['time_not_later', forged(honest[1], (tick) => ({ at: tick.at - 1_000 })), honest[0]],
    ['jump_not_flagged', forged(honest[3], () => ({ isJump: false })), honest[2]],
    ['jump_not_flagged', forged(honest[1], () => ({ isJump: true })), honest[0]],
    ['previous_malformed', honest[1], { ...honest[0], body: '{}' }],
    [
      'previous_malformed',
      honest[1],
      signText(writeTick({ ...(readTick(honest[0].body) as Tick), coin: 'ETH' }), seed),
    ],
  ])('as a link: %s', async (fault, text, previous) => {
    expect(await faultOf(text, previous)).toBe(fault);
  });

  test('a source excluded for distance cannot return too early, and none can be excluded too early', async () => {
    const back = forged(honest[1], (tick) => ({
      used: [...tick.used, { name: 'd', family: 'USDT', price: 101_500_000n, at: tick.at }],
      excluded: [],
      price: 100_020_000n,
    }));
    // The tick alone is valid, because 1.5% is within the wider band. The previous tick shows that d had to stay
    // excluded.
    expect(await faultOf(back)).toBeNull();
    expect(await faultOf(back, honest[0])).toBe('source_far');
    const [steady, next] = chain([
      [10_000n, 10_000n, 10_000n, 10_000n],
      [10_000n, 10_000n, 10_000n, 10_150n],
    ]) as [SignedText, SignedText];
    const sentOut = forged(next, (tick) => ({
      used: tick.used.slice(0, 3),
      excluded: tick.used
        .slice(3)
        .map(({ name, family, price, at }) => ({ name, family, reason: 'far', said: { price, at } })),
    }));
    expect(await faultOf(sentOut)).toBeNull();
    expect(await faultOf(sentOut, steady)).toBe('exclusion_unfounded');
  });

  test('a source that moved a second ago is not stuck', async () => {
    const [steady, next] = chain([
      [10_000n, 10_000n, 10_000n, 10_000n],
      [10_000n, 10_000n, 10_000n, 10_001n],
    ]) as [SignedText, SignedText];
    const sentOut = (name: string) =>
      forged(next, (tick) => ({
        used: tick.used.filter((vote) => vote.name !== name),
        excluded: tick.used
          .filter((vote) => vote.name === name)
          .map(({ family, price, at }) => ({ name, family, reason: 'stuck', said: { price, at } })),
      }));
    expect(await faultOf(sentOut('d'), steady)).toBe('exclusion_unfounded');
    expect(await faultOf(sentOut('c'), steady)).toBeNull();
  });

  test('refuses a tick of another type or with an additional member', async () => {
    const extra = canonicalText({ ...(JSON.parse(honest[0].body) as Record<string, string>), note: '' });
    expect(readTick(extra)).toBeUndefined();
    expect(await faultOf(signText(extra, seed))).toBe('tick_malformed');
    expect(readTick(honest[0].body.replace('tick/1', 'tick/2'))).toBeUndefined();
    expect(readTick(honest[0].body.replace('"flag":""', '"flag":"no"'))).toBeUndefined();
  });
});
