import { existsSync } from 'node:fs';
import path from 'node:path';
import { money } from '@sathorn/money';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../checker/index.ts';
import { readRecording } from './recording.ts';
import { replaySources } from './replay.ts';
import { virtualDatabase } from './testing.ts';
import { CUSTOMER, idOf, openTrading } from './testing-trading.ts';

/** Recorded prices that are not shipped: beside the checkout, or this test is skipped. */
const DATA = path.resolve(import.meta.dirname, '../../../../../shared/data/btc-2023-03');
const START = Date.parse('2026-12-01T03:00:00.123Z');
/** The evening before USDC lost its peg: calm, then four feeds apart, then silence of the thin ones. */
const FROM = Date.parse('2023-03-10T21:50:00Z');
const SECONDS = 600;

/** Ten recorded minutes from a new database: an option up and one down every twenty seconds; what was published and what came of them. */
async function play(): Promise<{ ticks: unknown[]; orders: { status: string }[]; balances: unknown }> {
  const test = await virtualDatabase();
  const sources = replaySources(await readRecording(DATA), START, FROM);
  const prices = { kind: 'replay', folder: DATA } as const;
  const { options, ledger, faults, second } = await openTrading(test, { sources, coin: 'BTC', startMs: START, prices });
  for (let n = 1; n <= SECONDS + 60; n++) {
    await second();
    for (const direction of n % 20 === 0 && n <= SECONDS ? (['up', 'down'] as const) : [])
      await options.buy(
        { customer: CUSTOMER, coin: 'BTC', direction, stake: money('USDT', 7_000_000n), seconds: 30 },
        { id: idOf(`${n}/${direction}`), digest: 'd' },
      );
    if (n % 10 === 0) await options.settleDue();
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
  const balances = (await ledger.balances(CUSTOMER)).map(({ available, held }) => [String(available), String(held)]);
  expect(faults).toEqual([]);
  expect(await findViolations(test.checker)).toEqual([]);
  await test.close();
  return { ticks: ticks.rows, orders: orders.rows, balances };
}

describe.skipIf(!existsSync(DATA))('a replay of March 2023 (needs ../shared/data/btc-2023-03)', () => {
  test('gives the same ticks and the same settlements twice', { timeout: 120_000 }, async () => {
    const [first, second] = [await play(), await play()];
    expect(first.ticks.length).toBeGreaterThan(100);
    expect(new Set(first.orders.map(({ status }) => status)).size).toBeGreaterThan(1);
    expect(first.orders.every(({ status }) => status !== 'holding')).toBe(true);
    expect(second).toEqual(first);
  });
});
