import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  type Call,
  INTERVALS,
  listCandles,
  listCoins,
  type ParsedRequestOf,
  type ResultOf,
  readProofTicks,
  readQuote,
} from '@sathorn/api';
import { COIN_CODES } from '@sathorn/money';
import { readTick, verifyTick } from '@sathorn/proof';
import type { Decision } from '@sathorn/settlement';
import pg from 'pg';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { endRoleSessions, openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import type { Handler } from '../../platform/edge/handle.ts';
import { announceTestKey } from '../../platform/testing-keys.ts';
import { listCandlesHandler } from './list-candles.ts';
import { listCoinsHandler } from './list-coins.ts';
import type { Market, PricesConfig } from './market.ts';
import { readTicksFrom } from './market-store.ts';
import { openMarket } from './open-market.ts';
import { openSimulation } from './open-simulation.ts';
import type { PriceSource } from './price-source.ts';
import { readProofTicksHandler } from './read-proof-ticks.ts';
import { readQuoteHandler } from './read-quote.ts';
import { simulatedMarket } from './simulated-price.ts';
import { simulatedVenues } from './simulated-venues.ts';
import { openTestIndex, openVirtualClockDatabase, ScriptedSource, testSigner } from './testing.ts';
import { ticksForOptions } from './ticks-for-options.ts';

const TERMS = [{ seconds: 30, payout: '0.78', fee: '0.02', min: '1.000000', max: '500.000000' }];

/** Runs a handler like the edge does and checks its answer against the call's schema. */
async function answer<C extends Call>(
  handler: Handler,
  call: C,
  request: ParsedRequestOf<C>,
  now = new Date(),
): Promise<ResultOf<C>> {
  const { run } = handler as unknown as {
    run: (this: void, context: { request: unknown; now: Date }) => Promise<Decision<ResultOf<C>, string>>;
  };
  const decision = await run({ request, now });
  if (!decision.ok) throw new Error(decision.refusal);
  return v.parse(call.result, decision.effect) as ResultOf<C>;
}

async function open(test: TestDatabase, prices: PricesConfig, bus = new Bus()): Promise<Market> {
  await announceTestKey(test);
  const { api } = await openMarket({
    database: test.database,
    publishing: { database: test.index, signer: testSigner },
    clock: systemClock,
    bus,
    prices,
    onFault: (error) => {
      throw error;
    },
    historyWaitMaxMs: 600_000,
  });
  return api;
}

describe('a simulation that takes over', () => {
  test('starts at the newest prices in the database, and stays there over restarts', async () => {
    const test = await openVirtualClockDatabase();
    try {
      const before = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
      const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC', 'ADA']));
      for (const source of sources) {
        source.report('BTC', before, 71_234_560_000n);
        source.report('ADA', before, 301_700n);
      }
      const { publisher } = await openTestIndex(test, sources, ['BTC', 'ADA'], new Date(before), 'sim');
      expect(await publisher.publish(before)).toBe(2);

      const seconds = [before / 1_000, before / 1_000 + 60, before / 1_000 + 3_600];
      const first = await openSimulation('the new one', test.index, test.database, systemClock);
      expect(first.price('BTC', before / 1_000)).toBeCloseTo(71_234.56, 4);
      expect(first.price('ADA', before / 1_000)).toBeCloseTo(0.3017, 8);
      // A volatile minute moves a coin by less than half a percent.
      expect(Math.abs(first.price('BTC', before / 1_000 + 60) / 71_234.56 - 1)).toBeLessThan(0.005);
      // A coin without an earlier price is not shifted.
      expect(first.price('ETH', before / 1_000)).toBe(simulatedMarket('the new one').price('ETH', before / 1_000));

      for (const source of sources) source.report('BTC', before + 1_000, 71_300_000_000n);
      await publisher.publish(before + 1_000);
      const second = await openSimulation('the new one', test.index, test.database, systemClock);
      for (const at of seconds) expect(second.price('BTC', at)).toBe(first.price('BTC', at));
      const other = await openSimulation('one more', test.index, test.database, systemClock);
      expect(other.price('BTC', before / 1_000 + 1)).toBeCloseTo(71_300, 4);

      // A month later the offset has faded completely.
      const later = before / 1_000 + 31 * 86_400;
      expect(first.price('BTC', later)).toBe(simulatedMarket('the new one').price('BTC', later));
    } finally {
      await test.close();
    }
  });
});

describe('a market of simulated prices', () => {
  let real: TestDatabase;
  let market: Market;
  const bus = new Bus();
  const stop = new AbortController();
  let running: Promise<unknown>;

  beforeAll(async () => {
    real = await openTestDatabase();
    market = await open(real, { kind: 'sim', seed: 'door' }, bus);
    running = Promise.all([market.lead(stop.signal), market.follow(stop.signal)]);
    await once(bus, 'ticked');
    await once(bus, 'ticked');
    // Waits for the charts, which are written after the first tick.
    await market.bars('BTC', '1m', new Date(), 1);
  });
  afterAll(async () => {
    stop.abort();
    await running;
    await real.close();
  });

  test('ticks once a second, at whole seconds, for every coin', async () => {
    for (const coin of COIN_CODES) {
      const last = market.lastTick(coin);
      expect(last?.sequence).toBeGreaterThanOrEqual(2n);
      expect((last?.at.getTime() ?? 1) % 1_000).toBe(0);
      expect(market.isStale(coin, new Date())).toBe(false);
      const [before, tick] = [await market.tick(coin, 1n), await market.tick(coin, 2n)];
      expect(tick && before && (await verifyTick(tick.text, testSigner.publicKeyHex, before.text))).toMatchObject({
        ok: true,
      });
    }
  });

  test('listCoins: every coin with its figures, as the call declares', async () => {
    const coins = await answer(
      listCoinsHandler(market, { optionTerms: (coin) => (coin === 'TRX' ? [] : TERMS), contracts: true }),
      listCoins,
      {},
    );
    expect(coins.map(({ code }) => code)).toEqual(COIN_CODES);
    expect(coins.map(({ options }) => options)).toEqual([true, true, true, true, true, true, true, false]);
    expect(coins[0]?.payouts).toEqual(['0.78']);
    expect(coins.at(-1)?.payouts).toEqual([]);
    for (const coin of coins) {
      expect(coin).toMatchObject({ stale: false, origin: 'sim', contracts: true });
      expect(coin.spark.length).toBeGreaterThanOrEqual(24);
      expect(Number(coin.low)).toBeLessThanOrEqual(Number(coin.price));
      expect(Number(coin.high)).toBeGreaterThanOrEqual(Number(coin.price));
      expect(Number(coin.volume)).toBeGreaterThan(0);
      expect(Number(coin.change_24h)).not.toBe(0);
    }
    expect(coins[0]).toMatchObject({ name: 'Bitcoin', tick: '0.01', lot: '0.00001', icon: '/coins/btc.svg' });
  });

  test('readQuote: price, sequence, sources and the terms of the options module', async () => {
    const quote = await answer(
      readQuoteHandler(market, () => TERMS),
      readQuote,
      { code: 'XRP' },
    );
    expect(quote.durations).toEqual(TERMS);
    expect(quote.sources.map(({ name }) => name).sort()).toEqual(['sim-1', 'sim-2', 'sim-3', 'sim-4', 'sim-5']);
    expect(quote.price).toMatch(/^\d+\.\d{5}$/);
    expect(Number(quote.sequence)).toBeGreaterThanOrEqual(2);
  });

  test('quotes and tickers cost no query', async () => {
    let queries = 0;
    const database: Database = {
      ...real.database,
      query: (...given) => {
        queries += 1;
        return real.database.query(...given);
      },
    };
    const other = (
      await openMarket({
        database,
        publishing: null,
        clock: systemClock,
        bus: new Bus(),
        prices: { kind: 'sim', seed: 'door' },
        onFault: () => undefined,
      })
    ).api;
    expect(queries).toBeGreaterThan(0);
    queries = 0;
    expect(other.tickers()).toHaveLength(8);
    await answer(listCoinsHandler(other, { optionTerms: () => TERMS, contracts: false }), listCoins, {});
    const quote = await answer(
      readQuoteHandler(other, () => TERMS),
      readQuote,
      { code: 'BTC' },
    );
    expect(Number(quote.sequence)).toBeGreaterThanOrEqual(2);
    expect(queries).toBe(0);
  });

  test('listCandles: pages backwards without overlap or gap, in every interval', async () => {
    const handler = listCandlesHandler(market, async () => []);
    for (const interval of INTERVALS) {
      const first = await answer(handler, listCandles, { code: 'ADA', interval, limit: 50 });
      expect(first.items).toHaveLength(50);
      const times = first.items.map(([at]) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(first.next).toBe(String(times[0]));
      const byPage = await answer(handler, listCandles, { code: 'ADA', interval, limit: 20, page: first.next ?? '' });
      const byTime = await answer(handler, listCandles, { code: 'ADA', interval, limit: 20, before: times[0] });
      expect(byPage).toEqual(byTime);
      const step = (times[1] ?? 0) - (times[0] ?? 0);
      expect(byPage.items.at(-1)?.[0]).toBe((times[0] ?? 0) - step);
      expect(first.items.every(([, , , , , , simulated]) => simulated === 1)).toBe(true);
    }
    const weeks = await answer(handler, listCandles, { code: 'ADA', interval: '1w', limit: 1_000 });
    expect(weeks.next).toBeNull();
    expect(await answer(handler, listCandles, { code: 'ADA', interval: '1m', of: 'trades' })).toEqual({
      items: [],
      next: null,
    });
    expect(await answer(handler, listCandles, { code: 'ADA', interval: '1m', before: 0 })).toEqual({
      items: [],
      next: null,
    });
  });

  test('the newest candle closes at the newest price in every interval: history and ticks are one', async () => {
    const last = market.lastTick('ETH');
    for (const interval of INTERVALS) {
      const bar = market.currentBar('ETH', interval);
      expect(bar && last && bar.close === last.price, interval).toBe(true);
      expect(bar && Number(bar.high - bar.low) / Number(bar.close), interval).toBeLessThan(0.6);
    }
  });

  test('readProofTicks: the chain from a sequence on, and its head', async () => {
    const { items, head } = await answer(readProofTicksHandler(market), readProofTicks, {
      code: 'BTC',
      from: '1',
      limit: 2,
    });
    expect(items).toHaveLength(2);
    expect(Number(head?.sequence)).toBeGreaterThanOrEqual(2);
    const [first, second] = items;
    expect(first && second && (await verifyTick(second, testSigner.publicKeyHex, first))).toMatchObject({ ok: true });
  });

  test('the calls that the options module makes', async () => {
    const ticks = ticksForOptions(market);
    const second = await market.tick('BNB', 2n);
    const atMs = second?.at.getTime() ?? 0;
    expect(ticks.origin).toBe('sim');
    expect(ticks.newestTickMs('BNB')).toBeGreaterThanOrEqual(atMs);
    expect((await ticks.lastTickAtOrBefore('BNB', atMs))?.hash).toBe(second?.text.hash);
    expect((await ticks.lastTickAtOrBefore('BNB', atMs - 1))?.hash).toBe((await market.tick('BNB', 1n))?.text.hash);
    expect((await ticks.firstTickAfter('BNB', atMs - 1))?.hash).toBe(second?.text.hash);
    expect(await ticks.firstTickAfter('BNB', atMs + 3_600_000)).toBeNull();
    expect(await ticks.lastTickAtOrBefore('BNB', 0)).toBeNull();
    const [first, next] = await ticks.ticksBetween('BNB', atMs - 1_000, atMs);
    expect([first?.sequence, next?.sequence, next?.atMs, next?.price]).toEqual([1n, 2n, atMs, second?.price]);
  });
});

describe('a follower', () => {
  const START = Date.UTC(2026, 10, 20, 12, 0, 0);

  test('receives what another process publishes, and notifies its own listeners', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC', 'ETH']));
      const report = (second: number, price: bigint) => {
        for (const source of sources)
          for (const coin of source.coins) source.report(coin, START + second * 1_000, price * 1_000_000n);
        for (const source of sources) source.volume = 5n;
      };
      const leader = await openTestIndex(virtual, sources, ['BTC', 'ETH'], new Date(START));
      const follower = await openTestIndex(virtual, [], ['BTC', 'ETH'], new Date(START));
      const heard: unknown[] = [];
      follower.bus.on('ticked', (at) => heard.push(at.getTime()));
      follower.bus.on(
        'candle',
        ({ code, interval, data }) => code === 'BTC' && interval === '5m' && heard.push(data.candle),
      );
      report(0, 100n);
      await leader.publisher.publish(START);
      report(1, 103n);
      await leader.publisher.publish(START + 1_000);
      expect(await follower.view.catchUp(virtual.database, new Date(START + 1_100))).toBe(true);
      expect(heard).toEqual([START + 1_000, [START, '100.00', '103.00', '100.00', '103.00', '0.00000030', 0]]);
      expect(follower.view.lastTick('ETH')).toEqual(leader.view.lastTick('ETH'));
      expect(follower.view.figures('ETH', new Date(START + 1_100))).toEqual(
        leader.view.figures('ETH', new Date(START + 1_100)),
      );
      expect(follower.view.sources('BTC')).toEqual(leader.view.sources('BTC'));
      expect(await follower.view.catchUp(virtual.database, new Date(START + 2_100))).toBe(false);
      expect(heard).toHaveLength(2);
    } finally {
      await virtual.close();
    }
  });
});

describe('when the database fails', () => {
  const START = Date.UTC(2026, 10, 20, 12, 0, 0);

  test('publishes late, and marked, what the sources reported while the database was unavailable', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
      const index = await openTestIndex(virtual, sources, ['BTC'], new Date(START));
      const publish = (second: number): Promise<number> => {
        for (const source of sources)
          source.report('BTC', START + second * 1_000, 100_000_000n + BigInt(second) * 10_000n);
        return index.publisher.publish(START + second * 1_000);
      };
      await publish(0);
      const owner = new pg.Client(virtual.owner);
      await owner.connect();
      // Simulates a restart of the database: new connections are refused and open ones are cut.
      await owner.query('REVOKE INSERT ON market.tick FROM sathorn_index');
      await endRoleSessions(owner, 'sathorn_index');
      await expect(publish(1)).rejects.toThrow();
      await expect(publish(2)).rejects.toThrow();
      await owner.query('GRANT INSERT ON market.tick TO sathorn_index');
      await owner.end();
      expect(await publish(4)).toBe(3);
      const ticks = await readTicksFrom(virtual.database, 'BTC', 1n, 9);
      // No source reported in the third second, so it has no tick.
      expect(ticks.map(({ at, price, text }) => [at.getTime() - START, price, readTick(text.body)?.lateMs])).toEqual([
        [0, 100_000_000n, undefined],
        [1_000, 100_010_000n, 3_000],
        [2_000, 100_020_000n, 2_000],
        [4_000, 100_040_000n, undefined],
      ]);
      for (const [place, { text }] of ticks.entries())
        expect(await verifyTick(text, testSigner.publicKeyHex, ticks[place - 1]?.text)).toMatchObject({ ok: true });
      expect(index.alarms).toContainEqual({ kind: 'late', seconds: 2 });
      // The candle counts each second once, however often the write was tried.
      expect(index.view.bar('BTC', '1m')).toMatchObject({ open: 100_000_000n, close: 100_040_000n, volume: 0n });
    } finally {
      await virtual.close();
    }
  });

  test('a commit whose answer was lost is found again: no second tick of the same second', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
      for (const source of sources) source.report('BTC', START, 100_000_000n);
      let isLost = true;
      const losing = {
        ...virtual.index,
        async transaction<Result>(work: Parameters<typeof virtual.index.transaction<Result>>[0]): Promise<Result> {
          const result = await virtual.index.transaction(work);
          if (isLost) throw new Error('Connection terminated unexpectedly');
          return result;
        },
      };
      const index = await openTestIndex(
        { database: virtual.database, index: losing },
        sources,
        ['BTC'],
        new Date(START),
      );
      await expect(index.publisher.publish(START)).rejects.toThrow('Connection terminated');
      isLost = false;
      for (const source of sources) source.report('BTC', START + 1_000, 101_000_000n);
      expect(await index.publisher.publish(START + 1_000)).toBe(1);
      expect(index.view.lastTick('BTC')).toMatchObject({ sequence: 2n, price: 101_000_000n });
      expect(index.view.bar('BTC', '1h')).toMatchObject({ open: 100_000_000n, close: 101_000_000n });
    } finally {
      await virtual.close();
    }
  });
});

describe('a stale price', () => {
  const START = Date.UTC(2026, 10, 20, 12, 0, 0);

  test.each(['leads', 'follows'])(
    'C13: is announced to listeners, also when the database is unavailable: a process that %s',
    async (role) => {
      const virtual = await openVirtualClockDatabase();
      const stop = new AbortController();
      let running: Promise<void> | undefined;
      try {
        let isAway = false;
        const there =
          <Given extends unknown[], Result>(ask: (...given: Given) => Promise<Result>) =>
          (...given: Given): Promise<Result> =>
            isAway ? Promise.reject(new Error('connection timeout')) : ask(...given);
        const away = (of: Database): Database => ({
          ...of,
          query: there(of.query) as Database['query'],
          transaction: there(of.transaction) as Database['transaction'],
        });
        const database = away(virtual.database);
        const started = Date.now();
        let passedMs = 0;
        const bus = new Bus();
        const stale = new Set<boolean>();
        bus.on('tickers', ({ data: tickers }) => {
          stale.clear();
          for (const ticker of tickers) stale.add(ticker.stale);
        });
        const market = (
          await openMarket({
            database,
            publishing: { database: away(virtual.index), signer: testSigner },
            clock: { now: () => new Date(START + Date.now() - started + passedMs) },
            bus,
            prices: { kind: 'sim', seed: 'away' },
            onFault: () => undefined,
          })
        ).api;
        const sources = simulatedVenues(simulatedMarket('away'));
        const other = await openTestIndex(virtual, sources, COIN_CODES, new Date(START), 'sim');
        if (role === 'follows') await other.publisher.publish(START);
        running =
          role === 'leads'
            ? Promise.all([market.lead(stop.signal), market.follow(stop.signal)]).then(() => undefined)
            : market.follow(stop.signal);
        await vi.waitFor(() => expect([...stale]).toEqual([false]), 120_000);
        isAway = true;
        passedMs = 5_000;
        await vi.waitFor(() => expect([...stale]).toEqual([true]), 120_000);
      } finally {
        stop.abort();
        await running;
        await virtual.close();
      }
    },
    60_000,
  );

  test('may also be far ahead: the clock was set back, and no tick comes until that time has passed', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
      const { publisher, view } = await openTestIndex(virtual, sources, ['BTC'], new Date(START));
      for (const source of sources) source.report('BTC', START, 100_000_000n);
      await publisher.publish(START);
      for (const source of sources) source.report('BTC', START - 3_600_000, 100_000_000n);
      expect(await publisher.publish(START - 3_600_000)).toBe(0);
      const isStale = (ms: number): boolean => view.isStale('BTC', new Date(START + ms));
      expect([-3_600_000, -3_001, -3_000, 0, 3_000, 3_001].map(isStale)).toEqual([
        true,
        true,
        false,
        false,
        false,
        true,
      ]);
    } finally {
      await virtual.close();
    }
  });
});

test('a process that takes over before it has read its predecessor’s ticks leaves the charts as they are', async () => {
  const virtual = await openVirtualClockDatabase();
  const START = Date.UTC(2026, 10, 20, 12, 0, 30);
  try {
    let now = START;
    const leadForTwoTicks = async ({ market, bus }: { market: Market; bus: Bus }): Promise<void> => {
      const stop = new AbortController();
      const running = market.lead(stop.signal);
      await once(bus, 'ticked');
      await once(bus, 'ticked');
      await market.bars('BTC', '1m', new Date(START), 1);
      stop.abort();
      await running;
    };
    const openAt = async () => {
      const bus = new Bus();
      const started = Date.now();
      const market = (
        await openMarket({
          database: virtual.database,
          publishing: { database: virtual.index, signer: testSigner },
          clock: { now: () => new Date(now + Date.now() - started) },
          bus,
          prices: { kind: 'sim', seed: 'twice' },
          onFault: () => undefined,
          historyWaitMaxMs: 600_000,
        })
      ).api;
      return { market, bus };
    };
    const [one, other] = [await openAt(), await openAt()];
    const bars = () => one.market.bars('BTC', '1m', new Date(START), 3_000);
    await leadForTwoTicks(one);
    const before = await bars();
    now += 120_000;
    await leadForTwoTicks(other);
    expect(await bars()).toEqual(before);
  } finally {
    await virtual.close();
  }
});

test('a replay continues after a restart where it was, and offers only coins that were recorded', async () => {
  const real = await openTestDatabase();
  const root = await mkdtemp('/tmp/replay-');
  try {
    const folder = `${root}/sol-test`;
    await mkdir(folder);
    const rows = Array.from({ length: 30 }, (_, index) => `${1_677_628_800 + index * 60},20,21,19,20.5,1`).join('\n');
    for (const name of ['a-usdt', 'b-usdt', 'c-usd'])
      await writeFile(`${folder}/${name}.csv`, `time,open,high,low,close,volume\n${rows}\n`);
    let now = Date.now();
    const openAt = async () =>
      (
        await openMarket({
          database: real.database,
          publishing: { database: real.index, signer: testSigner },
          clock: { now: () => new Date(now) },
          bus: new Bus(),
          prices: { kind: 'replay', folder },
          onFault: () => undefined,
        })
      ).api;
    const first = await openAt();
    expect([first.environment, first.coins()]).toEqual(['replay', ['SOL']]);
    expect(first.quote('BTC')).toMatchObject({ last: null, stale: true });
    now += 600_000;
    await openAt();
    const [origin] = await real.database.query<{ seed: string; started_at: Date }>({
      name: '',
      text: 'SELECT seed, started_at FROM market.origin',
    });
    expect(origin?.seed).toBe('1677628800000');
    expect(now - (origin?.started_at.getTime() ?? 0)).toBe(600_000);
    expect(
      await answer(listCoinsHandler(first, { optionTerms: () => TERMS, contracts: false }), listCoins, {}),
    ).toMatchObject([{ code: 'SOL', price: null, stale: true, at: null, change_24h: null, spark: [] }]);
  } finally {
    await rm(root, { recursive: true });
    await real.close();
  }
});

test('a process that starts after the end of a recording shows its last prices and marks them stale', async () => {
  const virtual = await openVirtualClockDatabase();
  const root = await mkdtemp('/tmp/replay-');
  const started = Date.now();
  let passedMs = 0;
  const faults: unknown[] = [];
  const open = async (bus: Bus) =>
    (
      await openMarket({
        database: virtual.database,
        publishing: { database: virtual.index, signer: testSigner },
        clock: { now: () => new Date(Date.now() + passedMs) },
        bus,
        prices: { kind: 'replay', folder: `${root}/sol-test` },
        onFault: (error) => faults.push(error),
      })
    ).api;
  try {
    await mkdir(`${root}/sol-test`);
    for (const name of ['a-usdt', 'b-usdt', 'c-usdt'])
      await writeFile(`${root}/sol-test/${name}.csv`, 'time,open,high,low,close,volume\n1677628800,20,21,19,20.5,1\n');
    const ending = new AbortController();
    const [first, second] = [new Bus(), new Bus()];
    const leading = (await open(first)).lead(ending.signal);
    const [at] = (await once(first, 'ticked')) as [Date];
    ending.abort();
    await leading;
    passedMs = 86_400_000;
    const market = await open(second);
    const [told, stopping] = [once(second, 'ticked'), new AbortController()];
    const running = Promise.all([market.lead(stopping.signal), market.follow(stopping.signal)]);
    const [newest] = (await told) as [Date];
    stopping.abort();
    await running;
    expect(newest.getTime()).toBeGreaterThanOrEqual(at.getTime());
    expect(newest.getTime()).toBeLessThan(started + 60_000);
    expect(market.quote('SOL')).toMatchObject({ stale: true, last: { at: newest } });
    expect(market.tickers()).toMatchObject([{ code: 'SOL', stale: true }]);
    expect(faults).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
    await virtual.close();
  }
});

test('a database of simulated prices never becomes live, and the pause after a jump survives a restart', async () => {
  const START = Date.UTC(2026, 10, 20, 12, 0, 0);
  const virtual = await openVirtualClockDatabase();
  try {
    const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
    const { publisher } = await openTestIndex(virtual, sources, ['BTC'], new Date(START), 'sim');
    for (const [second, price] of [100n, 130n].entries()) {
      for (const source of sources) source.report('BTC', START + second * 1_000, price * 1_000_000n);
      await publisher.publish(START + second * 1_000);
    }
    const dependencies = {
      database: virtual.database,
      publishing: { database: virtual.index, signer: testSigner },
      clock: { now: () => new Date(START + 30_000) },
      bus: new Bus(),
      onFault: () => undefined,
    };
    await expect(
      openMarket({ ...dependencies, prices: { kind: 'live', environment: 'live', sources } }),
    ).rejects.toThrow(/not live/);
    const market = (await openMarket({ ...dependencies, prices: { kind: 'sim', seed: 'x' } })).api;
    expect(market.isPaused('BTC', new Date(START + 60_000))).toBe(true);
    expect(market.isPaused('BTC', new Date(START + 61_000))).toBe(false);
    expect(market.quote('BTC').paused).toBe(true);
    expect(ticksForOptions(market).isStale('BTC', new Date(START + 2_000))).toBe(true);
  } finally {
    await virtual.close();
  }
});

describe('a leader that receives no venue', () => {
  const SILENT_MAX_MS = 3_000;

  test('hands the role to a process that receives prices, which keeps it', async () => {
    const real = await openTestDatabase();
    await announceTestKey(real);
    const stop = new AbortController();
    const faults: unknown[] = [];
    const running: Promise<void>[] = [];
    const source = (name: string, hears: boolean): PriceSource => ({
      name,
      family: 'USDT',
      coins: ['BTC'],
      latest: (_coin, at) => (hears ? { price: 92_400_000_000n, at, trade: String(at) } : null),
      takeVolume: () => 1n,
      start() {},
      async stop() {},
    });
    const holders = () =>
      real.database.query<{ pid: number }>({
        name: 'test.holders',
        text: `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      });
    const lead = async (hears: boolean): Promise<Bus> => {
      const bus = new Bus();
      const market = (
        await openMarket({
          database: real.database,
          publishing: { database: real.index, signer: testSigner },
          clock: systemClock,
          bus,
          prices: { kind: 'live', environment: 'live', sources: ['a', 'b', 'c'].map((name) => source(name, hears)) },
          onFault: (error) => faults.push(error),
          silentMaxMs: SILENT_MAX_MS,
        })
      ).api;
      running.push(market.lead(stop.signal), market.follow(stop.signal));
      return bus;
    };
    try {
      const deaf = await lead(false);
      await vi.waitFor(async () => expect(await holders()).toHaveLength(1), 120_000);
      const hearing = await lead(true);
      await Promise.all([once(deaf, 'ticked'), once(hearing, 'ticked')]);
      const holder = await holders();
      for (let n = 0; n < 5; n += 1) await once(hearing, 'ticked');
      expect(await holders()).toEqual(holder);
      expect(faults).toEqual([]);
    } finally {
      stop.abort();
      await Promise.all(running);
      await real.close();
    }
  });
});
