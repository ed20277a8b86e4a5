import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { Bus } from '../bus/index.ts';
import { findViolations } from '../checker/index.ts';
import { fundDemoHouse } from '../demo/index.ts';
import { customerAccount, houseAccount, type JournalKind, openLedger } from '../ledger/index.ts';
import { openOptions } from '../options/index.ts';
import { openMarket, ticksForOptions } from './index.ts';
import { readRecording } from './recording.ts';
import { replaySources } from './replay.ts';
import { openIndex, testSigner, virtualDatabase } from './testing.ts';

/** Recorded prices that are not shipped: beside the checkout, or this test is skipped. */
const DATA = path.resolve(import.meta.dirname, '../../../../../shared/data/btc-2023-03');
const START = Date.parse('2026-12-01T03:00:00.123Z');
/** The evening before USDC lost its peg: calm, then four feeds apart, then silence of the thin ones. */
const FROM = Date.parse('2023-03-10T21:50:00Z');
const SECONDS = 600;
const CUSTOMER = 42n;

const gift: JournalKind<null, null, null, never> = {
  name: 'test.gift',
  accounts: () => [houseAccount('demo_fund', 'USDT'), customerAccount(CUSTOMER, 'USDT')],
  load: async () => null,
  decide: () =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: houseAccount('demo_fund', 'USDT'),
          credit: customerAccount(CUSTOMER, 'USDT'),
          units: 10_000_000_000n,
          code: 'demo_money',
        },
      ],
      answer: null,
    }),
  write: async () => undefined,
};

const idOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Ten recorded minutes from a new database: an option up and one down every twenty seconds; what was published and what came of them. */
async function play(): Promise<{ ticks: unknown[]; orders: Record<string, unknown>[]; balances: unknown }> {
  const test = await virtualDatabase();
  const { database } = test;
  let ms = START;
  const clock = { now: () => new Date(ms) };
  const sources = replaySources(await readRecording(DATA), START, FROM);
  const { view, bus, publisher } = await openIndex(test, sources, ['BTC'], clock.now());
  const ledger = openLedger({ database, clock, bus: new Bus() });
  await fundDemoHouse(ledger);
  await ledger.post(gift, null, { id: idOf('gift'), digest: 'gift' });
  const reads = await openMarket({
    database,
    clock,
    bus: new Bus(),
    signer: testSigner,
    prices: { kind: 'replay', folder: DATA },
    onFault: (error) => expect(error).toBeUndefined(),
  });
  const options = await openOptions({
    database,
    ledger,
    clock,
    bus,
    market: {
      ...ticksForOptions(reads),
      isStale: (coin, now) => view.isStale(coin, now) || view.isPaused(coin, now),
      newestTicks: async () => new Map([['BTC' as const, view.lastTick('BTC')?.at.getTime() ?? 0]]),
    },
    messages: { send: async () => undefined },
    signer: testSigner,
    accountSalt: Buffer.alloc(32, 3),
    rulesHash: () => '5a'.repeat(32),
    timeZone: 'Asia/Bangkok',
    isSelling: true,
    readFrozen: async () => new Set(),
    readQuietUntil: async () => ms - 5_000,
    onFault: (error) => expect(error).toBeUndefined(),
  });
  for (let second = 1; second <= SECONDS; second++) {
    ms = START + second * 1_000;
    await publisher.publish(Math.floor(ms / 1_000) * 1_000);
    if (second % 20 === 0) {
      for (const direction of ['up', 'down'] as const)
        await options.buy(
          { customer: CUSTOMER, coin: 'BTC', direction, stake: money('USDT', 7_000_000n), seconds: 30 },
          { id: idOf(`${second}/${direction}`), digest: 'd' },
        );
    }
    if (second % 10 === 0) await options.settleDue();
  }
  ms += 60_000;
  await options.settleDue();
  const owner = new pg.Client(test.owner);
  await owner.connect();
  const ticks = (
    await owner.query(
      "SELECT sequence, price, encode(hash, 'hex') AS hash, encode(signature, 'hex') AS signature FROM market.tick ORDER BY sequence",
    )
  ).rows;
  const orders = (
    await owner.query(
      'SELECT id, status, reason, start_sequence, start_price, end_sequence, end_price, profit, fee, credited FROM options.orders ORDER BY accepted_ms, direction',
    )
  ).rows;
  await owner.end();
  const balances = (await ledger.balances(CUSTOMER)).map(({ available, held }) => [String(available), String(held)]);
  expect(await findViolations(test.checker)).toEqual([]);
  await test.close();
  return { ticks, orders, balances };
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
