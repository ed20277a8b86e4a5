import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { NO_TICK_HASH, readTick, type SignedText, verifyTick } from '@sathorn/proof';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '../../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { insertTicks, readTicksFrom } from './market-store.ts';
import { simulatedMarket } from './simulated-price.ts';
import { simulatedVenues } from './simulated-venues.ts';
import { openTestIndex, openVirtualClockDatabase, ScriptedSource, testSigner } from './testing.ts';
import type { PublishedTick } from './tick.ts';

const START = Date.UTC(2026, 10, 20, 12, 0, 0);
const sql = (text: string): Statement => ({ name: '', text });

/** Verifies every link of a coin's chain as a customer's browser would. */
async function verifyChain(texts: readonly SignedText[]): Promise<void> {
  for (const [index, text] of texts.entries())
    expect(await verifyTick(text, testSigner.publicKeyHex, texts[index - 1])).toMatchObject({ ok: true });
}

describe('publishing', () => {
  let virtual: TestDatabase;
  beforeAll(async () => {
    virtual = await openVirtualClockDatabase();
  });
  afterAll(() => virtual.close());

  test('all coins of a second are signed, chained and verifiable; a restart continues the chain', async () => {
    const sources = simulatedVenues(simulatedMarket('chain'));
    const first = await openTestIndex(virtual, sources, COIN_CODES, new Date(START), 'sim');
    const heard: Date[] = [];
    first.bus.on('ticked', (at) => heard.push(at));
    for (let second = 0; second < 20; second += 1)
      expect(await first.publisher.publish(START + second * 1_000)).toBe(8);
    expect(heard.map((at) => at.getTime())).toEqual(Array.from({ length: 20 }, (_, second) => START + second * 1_000));

    const second = await openTestIndex(virtual, sources, COIN_CODES, new Date(START + 20_000), 'sim');
    expect(second.view.lastTick('BTC')).toEqual(first.view.lastTick('BTC'));
    expect(second.view.bar('ETH', '1m')).toEqual(first.view.bar('ETH', '1m'));
    for (let later = 25; later < 30; later += 1) expect(await second.publisher.publish(START + later * 1_000)).toBe(8);

    for (const coin of COIN_CODES) {
      const ticks = await readTicksFrom(virtual.database, coin, 1n, 100);
      expect(ticks.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 25 }, (_, index) => BigInt(index + 1)),
      );
      await verifyChain(ticks.map(({ text }) => text));
      expect(readTick(ticks[0]?.text.body ?? '')?.previous).toBe(NO_TICK_HASH);
      const jumps = ticks.slice(1).map((tick, index) => Number(tick.price) / Number(ticks[index]?.price) - 1);
      expect(Math.max(...jumps.map(Math.abs))).toBeLessThan(0.005);
    }
  });

  test('the same seed gives the same ticks again', async () => {
    const again = await openVirtualClockDatabase();
    try {
      const { publisher } = await openTestIndex(
        again,
        simulatedVenues(simulatedMarket('chain')),
        COIN_CODES,
        new Date(START),
        'sim',
      );
      for (let second = 0; second < 20; second += 1) await publisher.publish(START + second * 1_000);
      const bodies = (ticks: readonly PublishedTick[]) => ticks.slice(0, 20).map(({ text }) => text);
      expect(bodies(await readTicksFrom(again.database, 'SOL', 1n, 100))).toEqual(
        bodies(await readTicksFrom(virtual.database, 'SOL', 1n, 100)),
      );
    } finally {
      await again.close();
    }
  });

  test('the app can only append', async () => {
    for (const text of [
      'UPDATE market.tick SET price = 1',
      'DELETE FROM market.tick',
      'TRUNCATE market.tick',
      'UPDATE market.head SET price = 1',
      'INSERT INTO market.head SELECT * FROM market.head',
      'UPDATE market.guard SET virtual_clock = true',
      'DELETE FROM market.candle',
      'ALTER TABLE market.tick DISABLE TRIGGER link_tick',
    ]) {
      await expect(virtual.database.query(sql(text)), text).rejects.toThrow(/permission denied|must be owner/);
    }
    const owner = new pg.Client(virtual.owner);
    await owner.connect();
    for (const text of ['UPDATE market.tick SET price = 1', 'DELETE FROM market.tick', 'TRUNCATE market.tick']) {
      await expect(owner.query(text), text).rejects.toThrow(/append-only/);
    }
    await owner.end();
  });
});

describe('C1 to C4 through the index', () => {
  const coin: CoinCode = 'BTC';
  async function scripted(
    run: (
      index: Awaited<ReturnType<typeof openTestIndex>> & {
        sources: ScriptedSource[];
        report: (second: number, ...prices: (number | null)[]) => number;
      },
    ) => Promise<void>,
  ) {
    const virtual = await openVirtualClockDatabase();
    try {
      const sources = ['a', 'b', 'c', 'd'].map((name) => new ScriptedSource(name, [coin]));
      const index = await openTestIndex(virtual, sources, [coin], new Date(START));
      const report = (second: number, ...prices: (number | null)[]): number => {
        const at = START + second * 1_000;
        for (const [place, price] of prices.entries())
          if (price !== null) sources[place]?.report(coin, at, BigInt(price) * 1_000_000n);
        return at;
      };
      await run({ ...index, sources, report });
    } finally {
      await virtual.close();
    }
  }

  test('C1: one source reports a thousand times the price; C2: with two left there is no tick and no candle, and calls say so', () =>
    scripted(async ({ publisher, view, bus, report, alarms }) => {
      await publisher.publish(report(0, 100, 101, 102, 100_000));
      expect(view.lastTick(coin)?.price).toBe(101_000_000n);
      expect(view.sources(coin).find(({ name }) => name === 'd')).toMatchObject({ used: false, reason: 'far' });
      const bar = view.bar(coin, '1m');

      const turned: boolean[] = [];
      bus.on('tickers', ({ data: [ticker] }) => turned.push(ticker?.stale ?? false));
      for (let second = 1; second <= 10; second += 1) await publisher.publish(report(second, 100, 101, null, 100_000));
      // The third source's last price remains valid for five seconds.
      expect(view.lastTick(coin)?.sequence).toBe(6n);
      expect(view.lastTick(coin)?.at.getTime()).toBe(START + 5_000);
      expect(view.isStale(coin, new Date(START + 8_000))).toBe(false);
      expect(view.isStale(coin, new Date(START + 8_001))).toBe(true);
      expect(view.bar(coin, '1m')?.at).toBe(bar?.at);
      expect(turned).toEqual([false, false, false, false, false, true]);

      await publisher.publish(report(11, 100, 101, 102, 100_000));
      expect(view.lastTick(coin)?.sequence).toBe(7n);
      expect(view.isStale(coin, new Date(START + 11_000))).toBe(false);
      expect(alarms).toEqual([
        { kind: 'source_far', coin, source: 'd' },
        { kind: 'stale', coin },
        { kind: 'back', coin },
      ]);
    }));

  test('C1: whatever one source reports, the ticks of all coins are published and verify, and calls report the source', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const coins: CoinCode[] = ['BTC', 'ETH'];
      const sources = ['a', 'b', 'c', 'd'].map((name) => new ScriptedSource(name, coins));
      const { publisher, view } = await openTestIndex(virtual, sources, coins, new Date(START));
      const nonsense = [
        { price: 10n ** 46n },
        { time: (START + 1_000) * 1_000_000 },
        { time: START + 2_000.5 },
        { volume: 10n ** 25n },
        { volume: 10n ** 25n },
      ];
      for (const [second, { price = 100_000_000n, time, volume = 0n }] of nonsense.entries()) {
        const at = START + second * 1_000;
        for (const source of sources) for (const each of coins) source.report(each, at, 100_000_000n);
        sources[3]?.report(coin, time ?? at, price);
        for (const source of sources) source.volume = volume;
        expect(await publisher.publish(at)).toBe(2);
        expect(view.sources(coin).map(({ at: said }) => said?.getTime() ?? 0)).not.toContain(Number.NaN);
      }
      await verifyChain((await readTicksFrom(virtual.database, coin, 1n, 9)).map(({ text }) => text));
      // A restarted index reads back all of the traded volume.
      const again = await openTestIndex(virtual, sources, coins, new Date(START + 10_000));
      expect(again.view.bar(coin, '1w')?.volume).toBe(8n * 10n ** 25n);
    } finally {
      await virtual.close();
    }
  });

  test('C4: everything moves by more than 20% in a second: published, flagged, and buying pauses for a minute', () =>
    scripted(async ({ publisher, view, report, alarms }) => {
      await publisher.publish(report(0, 100, 100, 100, 100));
      await publisher.publish(report(1, 121, 121, 121, 121));
      expect(alarms).toEqual([{ kind: 'jump', coin }]);
      const jumped = view.lastTick(coin);
      expect(jumped).toMatchObject({ jump: true, price: 121_000_000n });
      expect(readTick(jumped?.text.body ?? '')?.isJump).toBe(true);
      await publisher.publish(report(2, 121, 121, 121, 121));
      expect(view.lastTick(coin)?.jump).toBe(false);
      expect(view.isPaused(coin, new Date(START + 60_999))).toBe(true);
      expect(view.isPaused(coin, new Date(START + 61_000))).toBe(false);
    }));

  test('a source that was excluded for distance is still excluded after a restart', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const sources = ['a', 'b', 'c', 'd'].map((name) => new ScriptedSource(name, [coin]));
      const report = (at: number, ...prices: bigint[]) => {
        for (const [place, price] of prices.entries()) sources[place]?.report(coin, at, price);
      };
      const first = await openTestIndex(virtual, sources, [coin], new Date(START));
      report(START, 100_000_000n, 100_000_000n, 100_000_000n, 103_000_000n);
      await first.publisher.publish(START);
      const second = await openTestIndex(virtual, sources, [coin], new Date(START + 1_000));
      report(START + 1_000, 100_000_000n, 100_000_000n, 100_000_000n, 101_500_000n);
      await second.publisher.publish(START + 1_000);
      expect(second.view.sources(coin).find(({ name }) => name === 'd')?.reason).toBe('far');
      await verifyChain((await readTicksFrom(virtual.database, coin, 1n, 9)).map(({ text }) => text));
    } finally {
      await virtual.close();
    }
  });

  test('C5: a second that is not after the last gets no tick', () =>
    scripted(async ({ publisher, view, report }) => {
      await publisher.publish(report(5, 100, 100, 100, 100));
      expect(await publisher.publish(START + 5_000)).toBe(0);
      expect(await publisher.publish(START + 4_000)).toBe(0);
      expect(view.lastTick(coin)?.sequence).toBe(1n);
    }));

  test('two index processes at once: one tick per second, the other one steps down and catches up', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const sources = simulatedVenues(simulatedMarket('two'));
      const [one, other] = [
        await openTestIndex(virtual, sources, ['BTC'], new Date(START), 'sim'),
        await openTestIndex(virtual, sources, ['BTC'], new Date(START), 'sim'),
      ];
      expect(await one.publisher.publish(START)).toBe(1);
      await expect(other.publisher.publish(START)).rejects.toThrow(/does not follow|duplicate key/);
      expect(await other.publisher.publish(START + 1_000)).toBe(1);
      expect(other.view.lastTick('BTC')?.sequence).toBe(2n);
      expect(await readTicksFrom(virtual.database, 'BTC', 1n, 9)).toHaveLength(2);
    } finally {
      await virtual.close();
    }
  });
});

describe('the database refuses', () => {
  let real: TestDatabase;
  beforeAll(async () => {
    real = await openTestDatabase();
  });
  afterAll(() => real.close());

  /** `time` is called after the scratch database is created, which may take seconds. */
  async function tickAt(time: () => number, environment: 'live' | 'sim' = 'sim'): Promise<PublishedTick> {
    const scratch = await openVirtualClockDatabase();
    try {
      const at = time();
      const sources = simulatedVenues(simulatedMarket('refused'));
      const { publisher, view } = await openTestIndex(scratch, sources, ['BTC'], new Date(at), 'sim');
      await publisher.publish(at);
      const tick = view.lastTick('BTC') as PublishedTick;
      if (environment === 'sim') return tick;
      return { ...tick, environment, text: testSigner.sign(tick.text.body.replace('"env":"sim"', '"env":"live"')) };
    } finally {
      await scratch.close();
    }
  }
  const insert = (tick: PublishedTick, test = real) =>
    test.index.transaction((transaction) => insertTicks(transaction, [tick]));
  const thisSecond = (): number => Math.floor(Date.now() / 1_000) * 1_000;

  test('a tick of the past or of the future', async () => {
    await expect(insert(await tickAt(() => thisSecond() - 2_000))).rejects.toThrow(/from the database's clock/);
    await expect(insert(await tickAt(() => thisSecond() + 3_000))).rejects.toThrow(/from the database's clock/);
  });

  test('a late tick that is not marked, and a marked one that is older than a minute', async () => {
    const late = async (ageMs: number): Promise<PublishedTick> => {
      const tick = await tickAt(() => thisSecond() - ageMs);
      return { ...tick, text: testSigner.sign(tick.text.body.replace('"prev"', `"late":"${ageMs}","prev"`)) };
    };
    await expect(insert(await late(64_000))).rejects.toThrow(/from the database's clock/);
    await insert(await late(50_000));
  });

  test('any tick, candle or key that the application’s role writes', async () => {
    const tick = await tickAt(() => thisSecond());
    await expect(real.database.transaction((transaction) => insertTicks(transaction, [tick]))).rejects.toThrow(
      /permission denied for table tick/,
    );
    for (const text of [
      'UPDATE market.candle SET high = high * 2',
      `INSERT INTO proofs.key (id, use, public_key) VALUES ('0123456789abcdef', 'index', sha256('x'))`,
      `INSERT INTO market.origin VALUES ('other', '1', now())`,
    ])
      await expect(real.database.query(sql(text)), text).rejects.toThrow(/permission denied/);
  });

  test('a live tick of the past even if the clock is virtual', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      await expect(insert(await tickAt(() => thisSecond() - 2_000, 'live'), virtual)).rejects.toThrow(
        /from the database's clock/,
      );
      await insert(await tickAt(() => thisSecond() - 2_000), virtual);
      const before = (await readTicksFrom(virtual.database, 'BTC', 1n, 1))[0]?.text.hash ?? '';
      const refusal = async (): Promise<string> => {
        const live = await tickAt(() => thisSecond() + 1_000, 'live');
        const body = live.text.body.replace('"seq":"1"', '"seq":"2"').replace(NO_TICK_HASH, before);
        const next = { ...live, sequence: 2n, text: testSigner.sign(body) };
        return insert(next, virtual).then(() => 'none', String);
      };
      // On a busy machine a tick of the present may belong to the past when it arrives, so this repeats.
      await expect.poll(refusal).toMatch(/is sim, not live/);
    } finally {
      await virtual.close();
    }
  });

  test('another sequence, a text that differs from the columns, another hash, half a second', async () => {
    const virtual = await openVirtualClockDatabase();
    try {
      const tick = await tickAt(() => START);
      await expect(insert({ ...tick, sequence: 2n }, virtual)).rejects.toThrow(/does not follow/);
      await expect(
        insert({ ...tick, price: (tick.price + 10_000n) as PublishedTick['price'] }, virtual),
      ).rejects.toThrow(/says something else/);
      await expect(insert({ ...tick, jump: true }, virtual)).rejects.toThrow(/says something else/);
      await expect(insert({ ...tick, at: new Date(START + 1_000) }, virtual)).rejects.toThrow(/says something else/);
      await expect(insert({ ...tick, coin: 'ETH' }, virtual)).rejects.toThrow(/says something else/);
      await expect(insert({ ...tick, text: { ...tick.text, hash: NO_TICK_HASH } }, virtual)).rejects.toThrow(
        /hash_of_body/,
      );
      await expect(insert({ ...tick, at: new Date(START + 500) }, virtual)).rejects.toThrow(
        /says something else|at_check/,
      );
      await insert(tick, virtual);
      await expect(insert(tick, virtual)).rejects.toThrow(/does not follow/);
    } finally {
      await virtual.close();
    }
  });
});
