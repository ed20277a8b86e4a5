import { existsSync } from 'node:fs';
import { money } from '@sathorn/money';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { readRecording } from './recording.ts';
import { replaySources } from './replay-sources.ts';
import { openVirtualClockDatabase } from './testing.ts';
import { MARCH_2023, MARCH_2023_BEGINS, MARCH_2023_DAYS } from './testing-march-2023.ts';
import { openTestTrading, TEST_CUSTOMER, testUuidOf } from './testing-trading.ts';

const START = Date.parse('2026-12-01T03:00:00.123Z');
/** The evening before USDC lost its peg: calm, then four diverging feeds, then silence of the small feeds. */
const EVENING = { from: Date.parse('2023-03-10T21:50:00Z'), seconds: 600 };
/** A different hour on each day. */
const MOMENTS = Array.from({ length: MARCH_2023_DAYS }, (_, day) => ({
  from: MARCH_2023_BEGINS + (day * 24 + day) * 3_600_000,
  seconds: 20,
}));
const SPANS = [EVENING, ...MOMENTS].sort((a, b) => a.from - b.from);

/**
 * Plays ten recorded minutes and a part of every day from an empty database, with one option up and one down every
 * twenty seconds. Returns the published ticks and the results.
 */
async function play(): Promise<{
  ticks: unknown[];
  orders: { status: string }[];
  refusals: string[];
  balances: unknown;
}> {
  const test = await openVirtualClockDatabase();
  const sources = replaySources(await readRecording(MARCH_2023), START, MARCH_2023_BEGINS);
  const prices = { kind: 'replay', folder: MARCH_2023 } as const;
  const { options, ledger, faults, second, turnTo } = await openTestTrading(test, {
    sources,
    coin: 'BTC',
    startMs: START,
    prices,
  });
  const refusals: string[] = [];
  for (const { from, seconds } of SPANS) {
    turnTo(START + from - MARCH_2023_BEGINS);
    for (let n = 1; n <= seconds + 40; n++) {
      await second();
      for (const direction of n % 20 === 0 && n <= seconds ? (['up', 'down'] as const) : []) {
        const decision = await options.buy(
          { customer: TEST_CUSTOMER, coin: 'BTC', direction, stake: money('USDT', 7_000_000n), seconds: 30 },
          { id: testUuidOf(`${from}/${n}/${direction}`), digest: 'd' },
        );
        if (!decision.ok) refusals.push(`${from}/${n} ${decision.refusal}`);
      }
      if (n % 10 === 0) await options.settleDue();
    }
  }
  const owner = new pg.Client(test.owner);
  await owner.connect();
  const ticks = await owner.query(
    "SELECT sequence, price, encode(hash, 'hex') AS hash, encode(signature, 'hex') AS signature FROM market.tick ORDER BY sequence",
  );
  const orders = await owner.query(
    `SELECT id, status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited
     FROM options.orders ORDER BY accepted_ms, direction`,
  );
  await owner.end();
  const balances = (await ledger.balances(TEST_CUSTOMER)).map(({ available, held }) => [
    String(available),
    String(held),
  ]);
  expect(faults).toEqual([]);
  expect(await findViolations(test.checker)).toEqual([]);
  await test.close();
  return { ticks: ticks.rows, orders: orders.rows, refusals, balances };
}

describe.skipIf(!existsSync(MARCH_2023))('a replay of March 2023 (needs ../shared/data/btc-2023-03)', () => {
  test('gives the same ticks and the same settlements twice', async () => {
    const [first, second] = await Promise.all([play(), play()]);
    expect(first.ticks.length).toBeGreaterThan(1_000);
    expect(first.orders.length + first.refusals.length).toBe((EVENING.seconds / 20 + MARCH_2023_DAYS) * 2);
    expect(new Set(first.orders.map(({ status }) => status))).toEqual(new Set(['won', 'lost', 'void']));
    expect(second).toEqual(first);
  });
});
