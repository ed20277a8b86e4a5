import { ACCEPTED_AFTER_MS } from '@sathorn/settlement';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../ledger/index.ts';
import { recordStatements } from '../../platform/database/testing.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const MALI = 11n;

describe('a speculative batch of purchases', () => {
  let test: OptionsTest;
  let ledger: Ledger;
  let options: Options;
  /** The newest tick that the process has received; null when it has received all. */
  let heardMs: number | null = null;
  let statements: string[] = [];

  beforeAll(async () => {
    test = await openOptionsTest();
    const { bus, clock, market } = test;
    ledger = openLedger({
      eligibility: test.eligibility,
      database: recordStatements(test.test.database, (name) => statements.push(name)),
      clock,
      bus,
    }).api;
    options = await test.open({
      ledger,
      market: { ...market, newestTickMs: (coin) => heardMs ?? market.newestTickMs(coin) },
    });
    await test.fund(MALI, '100000');
  });
  beforeEach(async () => {
    await publish(2);
    await untilTrusted();
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    expect(await test.violations()).toEqual([]);
    await test.close();
  });

  /** Publishes ticks for the given number of seconds ahead. */
  const publish = (seconds: number): Promise<void> =>
    publishBoth((Math.floor(test.clock.ms / 1_000) + seconds) * 1_000);
  const publishBoth = async (toMs: number): Promise<void> => {
    for (const coin of ['ADA', 'TRX'] as const) await test.publish(coin, toMs, () => 400_000n);
  };
  const buy = (room = options, stake = '1', coin: 'ADA' | 'TRX' = 'ADA') =>
    room.buy({ customer: MALI, coin, direction: 'up', stake: usdt(stake), seconds: 60 }, test.intent());
  const untilTrusted = async (coin: 'ADA' | 'TRX' = 'ADA'): Promise<void> => {
    for (let n = 0; n < 200; n += 1) {
      statements = [];
      await buy(options, '1', coin);
      if (!statements.includes('ledger.lock_head')) return;
    }
    throw new Error('memory is never trusted');
  };
  const elsewhere = (): Promise<Options> =>
    test.open({
      ledger: openLedger({
        eligibility: test.eligibility,
        database: test.test.database,
        clock: test.clock,
        bus: test.bus,
      }).api,
    });
  const offer = (coinExposureMax: bigint, payoutBps = 8_000) =>
    test.asOwner(
      `INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
       VALUES ('ADA', 60, $1, $2, 200, 1000000, 1000000000, 1000000000000, $3)`,
      [test.clock.now(), payoutBps, coinExposureMax],
    );
  const exposed = async (): Promise<bigint> => {
    const [row] = await test.asApp<{ units: string }>(
      `SELECT coalesce(sum(promised), 0)::text AS units FROM options.exposure WHERE coin = 'ADA'`,
    );
    return BigInt(row?.units ?? 0);
  };
  const startOf = (decision: Awaited<ReturnType<typeof buy>>): number =>
    decision.ok ? Date.parse(decision.effect.start_time) : 0;

  it('is sent in one pipeline', async () => {
    statements = [];
    await Promise.all([buy(), buy(), buy()]);
    expect(statements[0]).toBe('ledger.post');
    expect(statements).toContain('options.refuse_overtaken');
    expect(statements).not.toContain('options.read_exposure');
  });

  it('uses an offer that has changed since the last batch', async () => {
    await offer(10n ** 12n, 9_100);
    expect(await buy()).toMatchObject({ ok: true, effect: { payout: '0.91' } });
  });

  it('starts after a tick that the process has not received', async () => {
    heardMs = test.clock.ms;
    const before = test.clock.ms;
    await publish(3);
    const newest = test.clock.ms;
    // The server's clock is slow: by it alone, the order would start at a tick that customers have already seen.
    test.clock.ms = before + 1_000;
    const bought = await buy();
    test.clock.ms = newest;
    heardMs = null;
    expect(startOf(bought)).toBe(newest + ACCEPTED_AFTER_MS);
  });

  it('refuses a customer who was frozen after the batch was decided', async () => {
    test.frozen.add(MALI);
    expect(await buy()).toMatchObject({ ok: false, refusal: 'account_frozen' });
    test.frozen.clear();
    expect(await buy()).toMatchObject({ ok: true });
  });

  it('counts what another process has sold', async () => {
    await offer((await exposed()) + usdt('10').units);
    expect(await buy(await elsewhere(), '10')).toMatchObject({ ok: true });
    // Loads a correct memory of everything that this changes.
    await untilTrusted('TRX');
    expect(await buy(options, '10')).toMatchObject({ ok: false, refusal: 'exposure_reached' });
  });

  it('keeps the exposure limit across processes, and sells again after settlements', async () => {
    await offer((await exposed()) + usdt('40').units);
    const other = await elsewhere();
    const turns: boolean[] = [];
    // Each purchase adds 8 of 40 USDT. One process's memory decides ten, then the other's ten, then the first one's.
    for (const room of [options, options, other, other, options, other]) turns.push((await buy(room, '10')).ok);
    expect(turns).toEqual([true, true, true, true, true, false]);
    await untilRefusedAhead();
    await publish(62);
    expect(await options.settleDue()).toBeGreaterThan(0);
    expect(await exposed()).toBe(0n);
    expect(await buy(options, '10')).toMatchObject({ ok: true });
  });

  /** A refusal from memory also counts only if the memory is correct. */
  const untilRefusedAhead = async (): Promise<void> => {
    for (let n = 0; n < 200; n += 1) {
      statements = [];
      expect(await buy(options, '10')).toMatchObject({ ok: false, refusal: 'exposure_reached' });
      if (!statements.includes('ledger.lock_head')) {
        expect(statements).toContain('options.refuse_overtaken');
        return;
      }
    }
    throw new Error('memory is never trusted');
  };
});
