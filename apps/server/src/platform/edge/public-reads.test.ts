import { listCandles, readProofTicks } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { describe, expect, it } from 'vitest';
import { AnswerCache } from './answer-cache.ts';
import { type Handler, handle } from './index.ts';
import { EDGE_LIMITS, HTTP_LIMITS } from './limits.ts';
import { limitedNetworksOf } from './networks.ts';
import { type DeclinedRead, PublicReads } from './public-reads.ts';
import type { HttpAnswer } from './reply.ts';
import { openEdgePerTest, TestClock } from './testing.ts';
import { TokenBuckets } from './token-buckets.ts';

const { open, ask } = openEdgePerTest();
const LIVE = HTTP_LIMITS.live;

/** Reads that wait until the test releases them. */
function held(limits: Partial<typeof LIVE> = {}) {
  const going: (() => void)[] = [];
  const clock = new TestClock();
  const rows = new TokenBuckets({ perSecond: 4_000, burst: 20_000 }, clock.elapsedMs);
  const reads = new PublicReads({ ...LIVE, ...limits }, rows, 20_000);
  let asked = 0;
  return {
    going,
    clock,
    read: (address: string, cost = 1, key = `question ${asked++}`): Promise<HttpAnswer | DeclinedRead> =>
      reads.answer(key, limitedNetworksOf(address), cost, async () => {
        await new Promise<void>((go) => going.push(go));
        return { body: Buffer.from(key), isImmutable: false };
      }),
  };
}
const turn = () => new Promise(setImmediate);
const statusOf = async (answer: Promise<HttpAnswer | DeclinedRead>) => (await answer).status;

describe('public reads', () => {
  it('run up to the limit at once; others wait, and beyond the queue they are refused at once', async () => {
    const { going, read } = held({ publicReads: 2, publicReadsWaiting: 3, publicReadsPerCaller: 100 });
    const answers = Array.from({ length: 5 }, (_, n) => read(`203.0.113.${n}`));
    expect(await read('203.0.113.99')).toEqual({ status: 503, retryAfterSeconds: 1 });
    await turn();
    expect(going).toHaveLength(2);
    for (let ended = 0; ended < 5; ended += 1) {
      going[ended]?.();
      await turn();
    }
    expect(await Promise.all(answers.map(statusOf))).toEqual([200, 200, 200, 200, 200]);
  });

  it('of one address are limited, and another address comes before its second read', async () => {
    const { going, read } = held({ publicReads: 1, publicReadsPerCaller: 3 });
    const order: string[] = [];
    const told = (name: string, answer: Promise<HttpAnswer | DeclinedRead>) => answer.then(() => order.push(name));
    const first = [1, 2, 3].map((n) => told(`greedy ${n}`, read('203.0.113.1')));
    expect(await read('203.0.113.1')).toEqual({ status: 429, retryAfterSeconds: 1 });
    const other = told('other', read('203.0.113.2'));
    await turn();
    for (let n = 0; n < 4; n += 1) {
      going[n]?.();
      await turn();
    }
    await Promise.all([...first, other]);
    expect(order).toEqual(['greedy 1', 'other', 'greedy 2', 'greedy 3']);
  });

  it('cost their rows, whatever the number of calls', async () => {
    const { clock, read } = held({ publicReadsPerCaller: 1_000, publicReadsWaiting: 1_000 });
    for (let n = 0; n < 20; n += 1) void read('2001:db8::1', 1_000);
    expect(await read('2001:db8::2', 1_000)).toEqual({ status: 429, retryAfterSeconds: 1 });
    clock.advance(250);
    void read('2001:db8::2', 1_000);
    // The largest charge is a full bucket, which refills in five seconds.
    void read('203.0.113.1', 1e9);
    expect(await read('203.0.113.1', 20_000)).toEqual({ status: 429, retryAfterSeconds: 5 });
  });

  it('of the same question share one run', async () => {
    const { going, read } = held();
    const answers = Array.from({ length: 50 }, (_, n) => read(`203.0.113.${n}`, 1, 'the same'));
    await turn();
    expect(going).toHaveLength(1);
    going[0]?.();
    await turn();
    await turn();
    // The other readers arrived while it was running, so they get a newer result.
    expect(going).toHaveLength(2);
    going[1]?.();
    expect(await Promise.all(answers.map(statusOf))).toEqual(Array(50).fill(200));
  });
});

it('caches answers up to its limit of bytes', () => {
  const kept = new AnswerCache(10);
  for (const key of ['a', 'b']) kept.keep(key, Buffer.alloc(5));
  kept.get('a');
  kept.keep('c', Buffer.alloc(5));
  expect([kept.get('a')?.length, kept.get('b'), kept.get('c')?.length]).toEqual([5, undefined, 5]);
  kept.keep('d', Buffer.alloc(11));
  expect(['a', 'c', 'd'].map((key) => kept.get(key))).toEqual([undefined, undefined, undefined]);
});

describe('a page that never changes', () => {
  let encoded = 0;
  const ticks: Handler = handle(
    readProofTicks,
    async ({ request: { from, limit = 100 } }) => {
      encoded += 1;
      const item = { body: from, hash: '', signature: '', key: '' };
      return accept({
        items: Array(limit).fill(item),
        head: Number(from) > 1_000 ? { sequence: '1', hash: '' } : null,
      });
    },
    { rowsOf: ({ limit = 100 }) => limit, isImmutable: (_request, { head }) => head === null },
  );
  const page = (from: number, headers = {}) =>
    ask('GET', `/api/proof/ticks?code=BTC&from=${from}&limit=100`, { headers });

  it('may be cached and is rendered once per language, except for the newest data', async () => {
    await open([ticks]);
    encoded = 0;
    const answers = [await page(1), await page(1), await page(1, { lang: 'en' }), await page(2_000), await page(2_000)];
    const control = answers.map(({ headers }) => headers.get('cache-control'));
    const forever = 'public, max-age=31536000, immutable';
    expect(control).toEqual([forever, forever, forever, 'no-store', 'no-store']);
    expect(answers[0]?.headers.get('vary')).toBe('lang');
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[2]?.body.msg).not.toBe(answers[0]?.body.msg);
    expect(encoded).toBe(4);
  });
});

it('serves about 20 of 1,200 calls for candles from one address in live mode, and tells the others when to retry', async () => {
  let served = 0;
  const candles = handle(
    listCandles,
    async () => {
      served += 1;
      return accept({ items: [], next: null });
    },
    { rowsOf: ({ limit = 300 }) => limit },
  );
  await open([candles], { mode: 'live', limits: EDGE_LIMITS.live });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const statuses = new Map<number, number>();
  for (let n = 0; n < 60; n += 1) {
    const asked = Array.from({ length: 20 }, (_, m) =>
      ask('POST', '/api/coin/data/lists', {
        headers: form,
        body: `code=BTC&interval=1m&limit=1000&before=${n * 20 + m}`,
      }),
    );
    for (const { status, headers } of await Promise.all(asked)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }
  expect(served).toBeLessThanOrEqual(20);
  expect(served).toBeGreaterThan(5);
  expect(statuses.get(429)).toBe(1_200 - served);
});
