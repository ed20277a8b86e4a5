import { once } from 'node:events';
import { COIN_CODES } from '@sathorn/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Bus } from '../../platform/bus/index.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { announceTestKey } from '../../platform/testing-keys.ts';
import { aggregateBars, INTERVAL_MS } from './candle.ts';
import type { Market } from './market.ts';
import { readFirstBarMinute, saveBarHistory } from './market-store.ts';
import { openMarket } from './open-market.ts';
import { testSigner } from './testing.ts';

const DAY_MS = 86_400_000;
let real: TestDatabase;
const clock: Clock = { ...systemClock };
beforeEach(async () => {
  Object.assign(clock, systemClock);
  real = await openTestDatabase();
  await announceTestKey(real);
});
afterEach(() => real.close());

async function open(index: Database | null, faults: unknown[] = []): Promise<{ market: Market; bus: Bus }> {
  const bus = new Bus();
  const { api } = await openMarket({
    database: real.database,
    publishing: index && { database: index, signer: testSigner },
    clock,
    bus,
    prices: { kind: 'sim', seed: 'charts' },
    onFault: (error) => faults.push(error),
    historyWaitMaxMs: 600_000,
  });
  return { market: api, bus };
}

/** A database of the index whose writes of history wait for a promise. */
function holding(released: Promise<void>, database: Database): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...transaction,
          async query(statement, parameters) {
            if (statement.name === 'market.save_history_minutes') await released;
            return transaction.query(statement, parameters);
          },
        }),
      ),
  };
}

test('prices do not wait for the charts; a chart requested early comes later by itself, in every process', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const faults: unknown[] = [];
  const leader = await open(holding(released, real.index), faults);
  const follower = await open(null, faults);
  const stop = new AbortController();
  const running = [
    leader.market.lead(stop.signal),
    leader.market.follow(stop.signal),
    follower.market.follow(stop.signal),
  ];
  try {
    await Promise.all([once(leader.bus, 'ticked'), leader.market.ready]);
    let answers = 0;
    const asked = [leader, follower].map(async ({ market }) => {
      const weeks = await market.bars('TRX', '1w', new Date(), 1_000);
      answers += 1;
      return weeks;
    });
    await once(leader.bus, 'ticked');
    expect(leader.market.lastTick('TRX')?.sequence).toBeGreaterThanOrEqual(2n);
    expect(answers).toBe(0);
    release();
    for (const weeks of await Promise.all(asked)) expect(weeks.length).toBeGreaterThanOrEqual(104);
    for (const { market } of [leader, follower])
      for (const coin of COIN_CODES)
        await vi.waitFor(() => expect(market.quote(coin).figures?.spark.length).toBeGreaterThanOrEqual(24), 120_000);
    expect(faults).toEqual([]);
  } finally {
    release();
    stop.abort();
    await Promise.all(running);
  }
});

test('history and later ticks make one candle, in memory and in the database, and nothing counts twice', async () => {
  const { market, bus } = await open(real.index);
  const stop = new AbortController();
  const running = market.lead(stop.signal);
  await once(bus, 'ticked');
  await market.bars('BTC', '1m', new Date(), 1);
  await once(bus, 'ticked');
  stop.abort();
  await running;

  // The test compares figures of two processes, so both must use the same time.
  const end = new Date();
  clock.now = () => end;
  const restarted = (await open(null)).market;
  for (const coin of COIN_CODES) {
    const minutes = (await market.bars(coin, '1m', end, 2_000)).filter(({ at }) => at >= end.getTime() - DAY_MS);
    expect(minutes.length).toBeGreaterThan(1_400);
    for (const [n, { at }] of minutes.entries()) expect(at).toBe((minutes[0]?.at ?? 0) + n * INTERVAL_MS['1m']);
    for (const interval of ['5m', '15m', '30m', '1h', '4h'] as const) {
      const [newest] = await market.bars(coin, interval, end, 1);
      expect(newest).toEqual(aggregateBars(minutes, interval).at(-1));
      expect(market.currentBar(coin, interval)).toEqual(newest);
    }
    expect(restarted.quote(coin).figures).toEqual(market.quote(coin).figures);
  }

  const first = await readFirstBarMinute(real.index, 'BTC');
  const [hour] = await market.bars('BTC', '1h', end, 1);
  const bar = { open: 1n, high: 1n, low: 1n, close: 1n, volume: 5n, simulated: true };
  const again = [
    { coin: 'BTC', interval: '1m', bar: { ...bar, at: first?.getTime() ?? 0 } },
    { coin: 'BTC', interval: '1h', bar: { ...bar, at: hour?.at ?? 0 } },
  ] as const;
  await expect(saveBarHistory(real.index, again)).rejects.toThrow();
  expect(await market.bars('BTC', '1h', end, 1)).toEqual([hour]);
});

test('a process that takes over writes the charts that its predecessor did not write', async () => {
  const { promise: failing, reject: fail } = Promise.withResolvers<void>();
  failing.catch(() => undefined);
  const faults: unknown[] = [];
  const first = await open(holding(failing, real.index), faults);
  const stop = new AbortController();
  const running = first.market.lead(stop.signal);
  await once(first.bus, 'ticked');
  fail(new Error('stopped'));
  await vi.waitFor(() => expect(faults).not.toEqual([]), 120_000);
  stop.abort();
  await running;

  const second = await open(real.index);
  const stopping = new AbortController();
  const leading = second.market.lead(stopping.signal);
  try {
    expect((await second.market.bars('ADA', '1w', new Date(), 1_000)).length).toBeGreaterThanOrEqual(104);
  } finally {
    stopping.abort();
    await leading;
  }
});
