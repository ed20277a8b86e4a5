import { type SignedText, tickOf, writeTick } from '@sathorn/proof';
import { expect, test } from 'vitest';
import { judgeTrigger } from './judge-trigger.ts';
import type { ReadWaiting } from './read-waiting.ts';

/** Ticks that nobody signed: the chain is what an answer of the server may claim. */
const text = (n: number, price: bigint): SignedText => ({
  body: writeTick(
    tickOf(
      { stale: false, price, used: [], excluded: [], state: new Map() },
      {
        coin: 'BTC',
        sequence: BigInt(n),
        at: n * 1_000,
        rule: 'families/1',
        environment: 'sim',
        previous: '0'.repeat(64),
        previousPrice: null,
      },
    ),
  ),
  hash: '0'.repeat(64),
  signature: '',
  key: '',
});
const order = {
  code: 'BTC',
  trigger_price: '59000.00',
  trigger_when: 'below',
  armed_at: '1970-01-01T00:00:02.500Z',
  first_tick: '3',
  tick: { sequence: '4', at: '1970-01-01T00:00:04.000Z', price: '58999.00' },
} as ReadWaiting;

test('believes no chain that is not signed, and no chain that cannot be read', async () => {
  const asked: [string, number][] = [];
  const verdict = await judgeTrigger(order, [], async (_code, from, limit) => {
    asked.push([from, limit]);
    return { items: [text(2, 60_000_000_000n), text(3, 60_000_000_000n), text(4, 58_999_000_000n)], head: null };
  });
  // It begins with the tick before the first, so that none between can be left out.
  expect(asked).toEqual([['2', 3]]);
  expect(verdict.fault).toBe('chain');
  expect((await judgeTrigger(order, [], async () => null)).fault).toBe('not_loaded');
  expect((await judgeTrigger(order, [], async () => ({ items: [], head: null }))).fault).toBe('tick_missing');
  expect((await judgeTrigger({ ...order, tick: null }, [])).fault).toBe('tick_missing');
});
