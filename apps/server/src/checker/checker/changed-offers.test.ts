import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OptionsTest, openOptionsTest, usdt } from '../../exchange/options/testing.ts';
import { findViolations } from './find-violations.ts';
import { inspectOffers } from './inspect-offers.ts';
import { Findings } from './run-invariants.ts';
import { NO_PROGRESS, type ScanProgress } from './scan-progress.ts';

describe('an offer that was inserted before purchases that already exist', () => {
  let room: OptionsTest;
  let owner: pg.Client;
  let checker: pg.Client;
  const offer = (from: string, payoutBps = 1_000): Promise<unknown> =>
    owner.query(
      `INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
       VALUES ('BTC', 30, ${from}, ${payoutBps}, 200, 1000000, 10000000000, 250000000000, 1000000000000)`,
    );
  const found = async (): Promise<string[]> =>
    (await findViolations(room.test.checker)).map(({ invariant }) => invariant).toSorted();
  const inspect = async (before: ScanProgress): Promise<[ScanProgress, string[]]> => {
    const findings = new Findings();
    const after = await inspectOffers(checker, before, findings);
    return [after, findings.violations().flatMap(({ subjects }) => subjects)];
  };
  /** Makes a change, runs the check, and rolls the change back. */
  const after = async (statement: string, look: () => Promise<void>): Promise<void> => {
    await owner.query(
      `CREATE TABLE kept_terms AS TABLE options.terms; SET session_replication_role = replica; ${statement}`,
    );
    await look();
    await owner.query(`DELETE FROM options.terms; INSERT INTO options.terms OVERRIDING SYSTEM VALUE TABLE kept_terms; DROP TABLE kept_terms;
      SET session_replication_role = DEFAULT`);
  };
  beforeAll(async () => {
    room = await openOptionsTest();
    owner = new pg.Client(room.test.owner);
    checker = new pg.Client(room.test.checker);
    await Promise.all([owner.connect(), checker.connect()]);
    room.clock.ms = Date.now();
    await room.fund(101n, '100');
    const options = await room.open();
    await room.publish('BTC', (Math.ceil(room.clock.ms / 1_000) + 1) * 1_000, () => 64_000_000_000n);
    room.clock.ms = Date.now();
    await options.buy({ customer: 101n, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 }, room.intent());
    await owner.query('UPDATE market.guard SET virtual_clock = false');
  });
  afterAll(async () => {
    await Promise.all([owner.end(), checker.end()]);
    await room.close();
  });

  it('is refused by the database, unless it begins in the present or the future', async () => {
    await expect(offer(`now() - interval '1 hour'`)).rejects.toThrow('before it is made');
    await expect(offer(`'epoch'`)).rejects.toThrow();
    await owner.query('BEGIN');
    await offer('now()', 9_000);
    await offer(`now() + interval '1 hour'`, 9_500);
    await owner.query('ROLLBACK');
    expect(await found()).toEqual([]);
  });

  it('is reported with the orders that it precedes, even if the database was made to accept it', async () => {
    const from = `now() - interval '1 hour'`;
    const row = `'BTC', 30, ${from}, 1000, 5000, 1000000, 10000000000, 250000000000, 1000000000000`;
    const columns =
      'coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max';
    await after(`INSERT INTO options.terms (${columns}) VALUES (${row})`, async () => {
      expect(await found()).toEqual(['I7d', 'O1']);
    });
    // The creation date is in the past although the offer is new.
    const [seen] = await inspect(NO_PROGRESS);
    await after(`INSERT INTO options.terms (${columns}, created_at) VALUES (${row}, ${from})`, async () => {
      expect(await found()).toEqual(['I7d', 'O1']);
      expect((await inspect(seen))[1]).toEqual([expect.stringMatching(/was not there before$/)]);
    });
    expect(await found()).toEqual([]);
  });

  it.each([
    ['changed', `UPDATE options.terms SET fee_bps = fee_bps + 1 WHERE id = 3`],
    ['gone', 'DELETE FROM options.terms WHERE id = 3'],
  ])('is reported if one is %s, until it is restored', async (says, statement) => {
    const [seen, nothing] = await inspect(NO_PROGRESS);
    expect(nothing).toEqual([]);
    await after(statement, async () => {
      const [progress, subjects] = await inspect(seen);
      expect(subjects).toEqual([expect.stringContaining(says)]);
      expect((await inspect(progress))[1]).toEqual(subjects);
    });
    expect((await inspect(seen))[1]).toEqual([]);
  });

  it('is refused if it is worse than the one before without notice, whoever writes it', async () => {
    const worse = async (values: string): Promise<void> => {
      await owner.query('BEGIN');
      await expect(
        owner.query(
          `INSERT INTO options.terms (coin, seconds, effective_from, offered, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max)
           VALUES ('BTC', 30, ${values})`,
        ),
      ).rejects.toMatchObject({ code: 'OP010' });
      await owner.query('ROLLBACK');
    };
    const day = `now() + interval '3 days'`;
    for (const from of ['now()', day])
      await worse(`${from}, true, 7499, 200, 1000000, 10000000000, 250000000000, 1000000000000`);
    await worse('now(), true, 9000, 201, 1000000, 10000000000, 250000000000, 1000000000000');
    await worse('now(), true, 9000, 200, 1000001, 10000000000, 250000000000, 1000000000000');
    await worse('now(), true, 9000, 200, 1000000, 9999999999, 250000000000, 1000000000000');
    await worse('now(), true, 9000, 200, 1000000, 10000000000, 249999999999, 1000000000000');
    await worse('now(), true, 9000, 200, 1000000, 10000000000, 250000000000, 999999999999');
    await worse('now(), false, 7500, 200, 1000000, 10000000000, 250000000000, 1000000000000');
  });

  const fields = {
    durations: [{ seconds: '30', offered: true, payout: '0.6', fee: '0.02' }],
    stake_min: '1',
    stake_max: '10000',
    window_exposure_max: '250000',
    coin_exposure_max: '1000000',
  };
  /** Writes a published version with its row of the offer; the owner decides when it claims to have been written. */
  const publish = (at: string, from: string): Promise<unknown> =>
    owner.query(`
      SET session_replication_role = replica;
      INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval, at)
      VALUES ('option', 'BTC', 2, ${from}, '${JSON.stringify(fields)}', gen_random_uuid(), ${at});
      SET session_replication_role = DEFAULT;
      INSERT INTO options.terms (coin, seconds, effective_from, payout_bps, fee_bps, stake_min, stake_max, window_exposure_max, coin_exposure_max, approval)
      SELECT 'BTC', 30, effective_from, 6000, 200, 1000000, 10000000000, 250000000000, 1000000000000, approval
      FROM offer.version WHERE kind = 'option' AND subject = 'BTC' AND version = 2`);

  it('begins after the notice of a published version, and a back-dated version is noticed', async () => {
    const [seen] = await inspect(NO_PROGRESS);
    const start = 'clock_timestamp()';
    await owner.query('BEGIN');
    await expect(publish(`${start} - interval '23 hours'`, start)).rejects.toMatchObject({ code: 'OP010' });
    await owner.query('ROLLBACK');
    await publish(`${start} - interval '25 hours'`, start);
    expect(await found()).toEqual(['OF1']);
    expect((await inspect(seen))[1]).toEqual(['option/BTC/2 was not there before']);
    await owner.query(`SET session_replication_role = replica;
      UPDATE offer.version SET at = effective_from - interval '23 hours' WHERE kind = 'option' AND subject = 'BTC' AND version = 2;
      SET session_replication_role = DEFAULT`);
    expect(await found()).toEqual(['O1', 'OF1']);
  });
});
