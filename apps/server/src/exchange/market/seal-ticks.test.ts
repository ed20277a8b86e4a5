import { INTERVALS, type Interval } from '@sathorn/api';
import { price } from '@sathorn/money';
import { tickOf, verifyTickPage, writeTick } from '@sathorn/proof';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import type { TestDatabase } from '../../platform/database/testing.ts';
import { type Bar, extendBar } from './candle.ts';
import {
  extendToSignedTick,
  readBarsBefore,
  readFirstTickAfter,
  readLastTickAtOrBefore,
  readTick,
  readTicksBetween,
  readTicksFrom,
} from './market-store.ts';
import { sealNextSegment } from './seal-ticks.ts';
import { openTestIndex, openVirtualClockDatabase, ScriptedSource, testSigner } from './testing.ts';
import type { PublishedTick } from './tick.ts';
import { hashOfTick, packTicks, unpackTicks } from './tick-segment.ts';
import { openTickVerifier } from './tick-verifier.ts';

const ZEROS = '0'.repeat(64);

describe('a packed segment', () => {
  const source = fc.record({
    name: fc.constantFrom('one', 'two', 'three', 'four', 'five'),
    price: fc.bigInt(1n, 10n ** 17n),
    ageMs: fc.integer({ min: -200, max: 30_000 }),
    reason: fc.constantFrom(null, null, null, 'old', 'far', 'silent'),
  });

  it('restores every text and hash, whatever the sources reported', () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(source, { selector: ({ name }) => name }), { minLength: 1 }), (seconds) => {
        let previous = ZEROS;
        const bodies = seconds.map((sources, nth) => {
          const at = 1_795_372_185_000 + nth * 1_000;
          const of = (isUsed: boolean) => sources.filter(({ reason }) => (reason === null) === isUsed);
          const body = writeTick({
            ...tickOf(
              { stale: false, price: sources[0]?.price ?? 1n, used: [], excluded: [], state: new Map() },
              {
                coin: 'BTC',
                sequence: BigInt(nth + 1),
                at,
                rule: 'families/1',
                environment: 'sim',
                previous,
                previousPrice: null,
              },
            ),
            used: of(true).map(({ name, price, ageMs }) => ({ name, family: 'USDT', price, at: at - ageMs })),
            excluded: of(false).map(({ name, price, ageMs, reason }) => ({
              name,
              family: 'USD',
              reason: reason ?? 'old',
              said: reason === 'silent' ? null : { price, at: at - ageMs },
            })),
          });
          previous = hashOfTick(body);
          return body;
        });
        const texts = unpackTicks(packTicks(bodies, ZEROS), ZEROS);
        expect(texts).toEqual(bodies.map((body) => ({ body, hash: hashOfTick(body) })));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps unknown members, and a text of another format', () => {
    const bodies = [
      `{"late":"1200","prev":"${ZEROS}","seq":"1","src":[["a","1","0","007"]],"t":"5"}`,
      '{"prev":"~","odd":"#","n":"3"}',
      '',
      'ราคา "12"',
    ];
    expect(unpackTicks(packTicks(bodies, ZEROS), ZEROS).map(({ body }) => body)).toEqual(bodies);
  });

  it('refuses bytes that were changed, or cut', () => {
    const packed = packTicks([`{"prev":"${ZEROS}","seq":"1","t":"5"}`], ZEROS);
    expect(() => unpackTicks(packed.subarray(0, -3), ZEROS)).toThrow();
    const changed = Buffer.from(packed);
    changed[changed.length - 6] = (changed.at(-6) ?? 0) ^ 1;
    expect(() => unpackTicks(changed, ZEROS)).toThrow();
  });
});

describe('candles that roll up', () => {
  it('give in every interval the same as all their seconds, also after a restart within a minute', async () => {
    const test = await openVirtualClockDatabase();
    const begin = Date.parse('2026-12-06T23:58:30Z');
    const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
    for (const source of sources) source.volume = 7n;
    const bars = new Map<Interval, Bar>();
    let { publisher, view } = await openTestIndex(test, sources, ['BTC'], new Date(begin));
    // Covers the end of a week, with a pause of five minutes.
    for (let at = begin; at < begin + 600_000; at += 1_000) {
      if (at >= begin + 200_000 && at < begin + 500_000) continue;
      const price = 64_000_000_000n + BigInt((at / 1_000) % 97) * 10_000n;
      for (const source of sources) source.report('BTC', at - 100, price, `${at}`);
      await publisher.publish(at);
      for (const interval of INTERVALS)
        bars.set(interval, extendBar(bars.get(interval), interval, at, price, 21n, false));
      if (at % 47_000 !== 0) continue;
      ({ publisher, view } = await openTestIndex(test, sources, ['BTC'], new Date(at)));
      for (const [interval, bar] of bars) {
        expect(view.bar('BTC', interval), `${interval} at ${new Date(at).toISOString()}`).toEqual(bar);
        const [newest] = await readBarsBefore(test.database, 'BTC', interval, new Date(at + 1), 5);
        expect(newest).toEqual(bar);
      }
    }
    const fives = await readBarsBefore(test.database, 'BTC', '5m', new Date(begin + 600_000), 5);
    expect(fives.map(({ volume }) => volume)).toEqual([100n, 110n, 90n].map((seconds) => seconds * 21n));
    expect(await readBarsBefore(test.database, 'BTC', '1w', new Date(begin + 600_000), 5)).toHaveLength(2);
    await test.close();
  });
});

describe('sealing ticks', () => {
  const BEGIN = Date.parse('2026-12-01T03:00:20Z');
  let test: TestDatabase;
  let owner: pg.Client;
  let before: PublishedTick[];
  const at = (second: number): Date => new Date(BEGIN + second * 1_000);
  const seal = () => sealNextSegment(test.index, 'BTC', { ticks: 50, ageSeconds: 60 });

  beforeAll(async () => {
    test = await openVirtualClockDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
    const sources = ['a', 'b', 'c', 'd'].map((name) => new ScriptedSource(name, ['BTC']));
    const { publisher } = await openTestIndex(test, sources, ['BTC'], at(0));
    for (let second = 1; second <= 300; second += 1) {
      // The sources are silent for 40 seconds.
      if (second > 80 && second < 120) continue;
      for (const [nth, source] of sources.entries())
        source.report(
          'BTC',
          BEGIN + second * 1_000 - nth * 150 - 7,
          64_000_000_000n + BigInt(second * 10_000 * (nth - 1)),
          `${second}`,
        );
      await publisher.publish(BEGIN + second * 1_000);
    }
    before = await readTicksFrom(test.database, 'BTC', 1n, 1_000);
    expect(before).toHaveLength(261);
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });

  it('refuses young ticks, a gap, a second copy, and malformed bytes', async () => {
    const call = (first: number, last: number) =>
      owner.query('SELECT market.seal_ticks($1, $2, $3, $4)', ['BTC', first, last, Buffer.from('x')]);
    await expect(call(2, 50)).rejects.toThrow('the next tick of BTC to seal is 1');
    await expect(call(1, 250)).rejects.toThrow('not to be sealed now');
    await expect(call(1, 400)).rejects.toThrow('not to be sealed now');
    await expect(call(1, 0)).rejects.toThrow('not to be sealed now');
    await expect(owner.query('DELETE FROM market.tick WHERE sequence = 1')).rejects.toThrow('append-only');
  });

  it('moves all but the newest ticks into segments, once', async () => {
    const sealed = [];
    // Two processes seal at once; one finds that the other has already sealed the segment.
    for (;;) {
      const results = await Promise.allSettled([seal(), seal()]);
      if (results.every((result) => result.status === 'fulfilled' && !result.value)) break;
      const refused = results.filter((result) => result.status === 'rejected');
      if (refused.length === results.length) throw refused[0]?.reason;
      sealed.push(...results.filter(({ status }) => status === 'fulfilled'));
    }
    const { rows } = await owner.query(
      'SELECT count(*)::int AS segments, max(last_sequence)::int AS last, sum(cardinality(signed))::int AS signed FROM market.sealed_segment',
    );
    // One signature per minute remains, and that of the last tick of each segment.
    expect(rows).toEqual([{ segments: 4, last: 200, signed: 8 }]);
    expect((await owner.query('SELECT min(sequence)::int FROM market.tick')).rows).toEqual([{ min: 201 }]);
    await expect(owner.query('DELETE FROM market.sealed_segment')).rejects.toThrow('append-only');
    await expect(owner.query('UPDATE market.sealed_segment SET prices = prices')).rejects.toThrow('append-only');
    expect(await findViolations(test.checker)).toEqual([]);
  });

  it('reads every tick as before', async () => {
    const plain = (tick: PublishedTick | null | undefined) =>
      tick && { ...tick, text: { body: tick.text.body, hash: tick.text.hash } };
    const { database } = test;
    for (const [nth, tick] of before.entries()) {
      expect(plain(await readTick(database, 'BTC', tick.sequence))).toEqual(plain(tick));
      for (const moment of [tick.at, new Date(tick.at.getTime() + 999)]) {
        expect(plain(await readLastTickAtOrBefore(database, 'BTC', moment))).toEqual(plain(tick));
        expect(plain(await readFirstTickAfter(database, 'BTC', moment))).toEqual(plain(before[nth + 1] ?? null));
      }
    }
    expect(await readLastTickAtOrBefore(database, 'BTC', at(0))).toBeNull();
    expect(plain(await readFirstTickAfter(database, 'BTC', at(-5)))).toEqual(plain(before[0]));
    expect(await readTick(database, 'ETH', 3n)).toBeNull();
    for (const [from, to] of [
      [1, 300],
      [30, 70],
      [95, 130],
      [210, 250],
    ] as const) {
      const wanted = before.filter((tick) => tick.at >= at(from) && tick.at <= at(to));
      expect((await readTicksBetween(database, 'BTC', at(from), at(to))).map(plain)).toEqual(wanted.map(plain));
    }
  });

  it('proves every range of sealed ticks by the next signed one, and finds a forged tick in each', async () => {
    const { verify } = openTickVerifier(test.database);
    const forging = (ticks: readonly PublishedTick[], nth: number) =>
      ticks.map((tick, at) => (at === nth ? { ...tick, price: price(tick.price + 1n) } : tick));
    for (let from = 1; from <= 300; from += 1) {
      for (const to of [from, from + 1, from + 29, from + 75]) {
        const ticks = await readTicksBetween(test.database, 'BTC', at(from), at(to));
        const proven = await extendToSignedTick(test.database, 'BTC', ticks);
        expect(proven.slice(0, ticks.length)).toEqual(ticks);
        expect(proven.at(-1)?.text.signature ?? 'none').not.toBe('');
        await expect(verify(proven)).resolves.toBeUndefined();
        if (ticks.length > 0) await expect(verify(forging(proven, ticks.length - 1))).rejects.toThrow('is not signed');
      }
    }
  });

  it('serves pages that can each be verified alone, and together make the whole chain', async () => {
    const keys = [{ use: 'index' as const, id: testSigner.keyId, public_key: testSigner.publicKeyHex }];
    const all: PublishedTick[] = [];
    for (let from = 1n; ; ) {
      const page = await readTicksFrom(test.database, 'BTC', from, 40);
      if (page.length === 0) break;
      const texts = page.map(({ text }) => text);
      expect(await verifyTickPage(texts, keys, all.at(-1)?.text)).toBeNull();
      const middle = texts.findIndex(({ signature }) => signature === '');
      if (middle >= 0) {
        expect(await verifyTickPage(texts.slice(0, middle + 1), keys)).toMatchObject({ fault: 'signature_missing' });
        const forged = texts.with(middle, { ...texts[middle], body: '{}' } as never);
        expect(await verifyTickPage(forged, keys)).toMatchObject({ at: middle });
      }
      all.push(...page);
      from = (page.at(-1)?.sequence ?? 0n) + 1n;
    }
    expect(all.map(({ text }) => text.hash)).toEqual(before.map(({ text }) => text.hash));
  });

  it.each([
    ['changed', `UPDATE market.sealed_segment SET bytes = bytes || '\\x00' WHERE first_sequence = 51`],
    ['cut out', 'DELETE FROM market.sealed_segment WHERE first_sequence = 51'],
    ['cut off, with its ticks', 'DELETE FROM market.sealed_segment WHERE first_sequence = 151'],
    ['led elsewhere', `UPDATE market.sealed_segment SET last_hash = sha256('x') WHERE first_sequence = 151`],
  ])('lets the checker detect a segment that somebody %s', async (_what, text) => {
    await owner.query(`SET session_replication_role = replica; ALTER TABLE market.sealed_segment DROP CONSTRAINT IF EXISTS hash_of_bytes;
      CREATE TABLE kept AS TABLE market.sealed_segment`);
    await owner.query(text);
    const found = await findViolations(test.checker);
    await owner.query(
      'DELETE FROM market.sealed_segment; INSERT INTO market.sealed_segment TABLE kept; DROP TABLE kept',
    );
    expect(found.some(({ invariant }) => ['T1', 'T3', 'T4'].includes(invariant))).toBe(true);
    expect(await findViolations(test.checker)).toEqual([]);
  });
});
