import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fundDemoHouse } from '../../demo/demo/index.ts';
import { openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import type { Checker } from './checker.ts';
import { type KeptMemory, markMemoryRestored, memoryFileOf } from './memory-file.ts';
import { startChecker } from './start-checker.ts';

/** The time within which an attack must be noticed (B15). */
const WITHIN_MS = 120_000;

describe('the checker’s process', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  let folder: string;
  let checker: Checker | null = null;
  const file = (): string => memoryFileOf(folder, test.checker);
  const memory = (): KeptMemory => JSON.parse(readFileSync(file(), 'utf8')) as KeptMemory;
  const start = (): void => {
    checker = startChecker(test.checker, () => undefined, { memory: file() });
  };
  const stop = async (): Promise<void> => {
    await checker?.stop();
    checker = null;
  };
  /** Requests rounds until the expectation holds. On its own the checker begins one every ten seconds. */
  const until = (expects: () => void): Promise<void> =>
    vi.waitFor(
      () => {
        checker?.look();
        expects();
      },
      { timeout: WITHIN_MS, interval: 100 },
    );
  const untilReported = (): Promise<void> => {
    const before = checker?.report()?.checked;
    return until(() => expect(checker?.report()?.checked).not.toBe(before));
  };
  const subjects = (): string[] =>
    (checker?.report()?.violations ?? []).flatMap(({ invariant, subjects: all }) =>
      all.map((subject) => `${invariant} ${subject}`),
    );
  const untilFound = (what: RegExp): Promise<void> => until(() => expect(subjects().join('\n')).toMatch(what));

  beforeAll(async () => {
    test = await openTestDatabase();
    const ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
    await fundDemoHouse(ledger);
    owner = new pg.Client(test.owner);
    await owner.connect();
    await owner.query('SET session_replication_role = replica');
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-memory-'));
    start();
    await untilReported();
    expect(subjects()).toEqual([]);
  });
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('stores what it read in a file that nobody else reads, and knows it after a restart', async () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file())).mode & 0o777).toBe(0o700);
    await stop();
    await owner.query(`UPDATE ledger.transfer SET at = at - interval '1 day' WHERE sequence = 1`);
    start();
    await untilFound(/M1 ledger\.transfer 1, now/);
    await vi.waitFor(() => expect(memory().halts.at(-1)?.reason).toMatch(/^M1/), { timeout: WITHIN_MS });
    expect(memory().findings).toMatchObject([{ invariant: 'M1' }]);

    // The database's owner restores everything, and erases the finding and the halt.
    await owner.query(`UPDATE ledger.transfer SET at = at + interval '1 day' WHERE sequence = 1`);
    await vi.waitFor(async () => {
      const { rows } = await owner.query(`SELECT halted FROM ledger.head`);
      expect(rows).toEqual([{ halted: expect.stringMatching(/^M1/) }]);
    });
    await owner.query(`UPDATE ledger.head SET halted = NULL; DELETE FROM ledger.halt; DELETE FROM ledger.violation`);
    await untilFound(/M1 ledger\.halt \d+, gone/);
    await untilFound(/M2 M1 ledger\.transfer 1/);
    await vi.waitFor(async () => {
      const { rows } = await owner.query(`SELECT halted FROM ledger.head`);
      expect(rows).toEqual([{ halted: expect.stringMatching(/^M/) }]);
    });
    await owner.query(`UPDATE ledger.head SET halted = NULL; DELETE FROM ledger.halt; DELETE FROM ledger.violation`);
  });

  it('continues after a finding: the change that one edit should hide is found in the same round', async () => {
    await owner.query(
      `UPDATE ledger.account SET credits_posted = credits_posted + 1 WHERE id = (SELECT min(id) FROM ledger.account);
       UPDATE ledger.transfer SET at = at - interval '1 day' WHERE sequence = 2`,
    );
    await untilFound(/I1[\s\S]*M1 ledger\.transfer 2, now/);
    await owner.query(
      `UPDATE ledger.account SET credits_posted = credits_posted - 1 WHERE id = (SELECT min(id) FROM ledger.account);
       UPDATE ledger.transfer SET at = at + interval '1 day' WHERE sequence = 2;
       UPDATE ledger.head SET halted = NULL; DELETE FROM ledger.halt; DELETE FROM ledger.violation`,
    );
  });

  it('goes back with a published restore, and with nothing else', async () => {
    await stop();
    await owner.query(`CREATE TABLE kept_transfers AS TABLE ledger.transfer`);
    const { rows } = await owner.query<{ last: string }>('SELECT max(sequence)::text AS last FROM ledger.transfer');
    const last = Number(rows[0]?.last);
    expect(last).toBeGreaterThan(1);
    markMemoryRestored(file(), { transfers: String(last - 1), endsAt: '2026-11-20T00:00:00.000000Z' });
    await owner.query(`DELETE FROM ledger.transfer WHERE sequence = ${last}`);
    start();
    await untilFound(/M3 up to 2026-11-20/);
    await untilFound(new RegExp(`M1 ledger\\.transfer ${last}, gone`));
    await stop();
    await owner.query(
      `INSERT INTO proofs.restoration (ends_at, known_at, transfers, known_transfers, ticks, known_ticks) VALUES ('2026-11-20', '2026-11-20', ${last - 1}, ${last}, '{}', '{}')`,
    );
    markMemoryRestored(file(), { transfers: String(last - 1), endsAt: '2026-11-20T00:00:00.000000Z' });
    start();
    await untilReported();
    expect(subjects().filter((subject) => /^M/.test(subject))).toEqual([]);
    expect(memory().restored).toBeUndefined();
    await owner.query(
      `INSERT INTO ledger.transfer SELECT * FROM kept_transfers WHERE sequence = ${last}; DELETE FROM proofs.restoration;
       UPDATE ledger.head SET halted = NULL; DELETE FROM ledger.halt; DELETE FROM ledger.violation`,
    );
  });

  it('reports that its file is damaged, and overwrites nothing', async () => {
    await stop();
    writeFileSync(file(), '{"v":1,"tab');
    start();
    await untilFound(/M4 .*is damaged/);
    expect(readFileSync(file(), 'utf8')).toBe('{"v":1,"tab');
    rmSync(file());
    await stop();
    start();
    await untilReported();
    expect(existsSync(file())).toBe(true);
    await owner.query(`UPDATE ledger.head SET halted = NULL; DELETE FROM ledger.halt; DELETE FROM ledger.violation`);
  });
});
