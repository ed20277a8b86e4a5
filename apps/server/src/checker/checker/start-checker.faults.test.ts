import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fundDemoHouse } from '../../demo/demo/index.ts';
import { openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { startChecker } from './start-checker.ts';

const TABLES = ['ledger.account', 'ledger.head', 'ledger.journal', 'ledger.transfer'];

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('gives a check that takes longer than its limit more time at each attempt', async () => {
  const said: string[] = [];
  // Shorter than the start of a process.
  const checker = startChecker(test.checker, (line) => said.push(line), { silenceMaxMs: 50 });
  try {
    await vi.waitFor(() => expect(checker.report()).not.toBeNull(), 120_000);
    expect(said[0]).toMatch(/^MONEY IS UNCHECKED/);
    expect(said[1]).toBe('Money is checked again');
  } finally {
    await checker.stop();
  }
});

it.each(['SIGINT', 'SIGHUP'] as const)(
  'is not started again after %s of a platform that is stopping',
  async (signal) => {
    const said: string[] = [];
    const calledOff = new AbortController();
    const checker = startChecker(test.checker, (line) => said.push(line), { calledOff: calledOff.signal });
    try {
      await vi.waitFor(() => expect(checker.report()).not.toBeNull(), 120_000);
      const pid = checker.pid() ?? 0;
      process.kill(pid, signal);
      // The child process ends first; the platform stops only afterwards.
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 120_000);
      calledOff.abort();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(checker.pid()).toBe(pid);
      expect(said).toEqual([]);
    } finally {
      await checker.stop();
    }
  },
  60_000,
);

it('reports when the checker is frozen, restarts it where it was, and reports when money is checked again', async () => {
  const owner = new pg.Client(test.owner);
  await owner.connect();
  await owner.query('SET session_replication_role = replica; CREATE SCHEMA kept');
  const named = TABLES.map((table) => [table, `kept.${table.replace('.', '_')}`] as const);
  for (const [table, kept] of named) await owner.query(`CREATE TABLE ${kept} AS TABLE ${table}`);
  await fundDemoHouse(
    openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api,
  );

  const said: string[] = [];
  // A silence limit longer than the pause between the checker's rounds.
  const checker = startChecker(test.checker, (line) => said.push(line), { silenceMaxMs: 15_000 });
  try {
    await vi.waitFor(() => expect(checker.report()).not.toBeNull(), 120_000);
    const frozen = checker.pid() ?? 0;
    process.kill(frozen, 'SIGSTOP');
    // Only a process that continues from the frozen one's progress can find these.
    for (const [table, kept] of named)
      await owner.query(`DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE ${kept}`);
    const before = checker.report();
    await vi.waitFor(() => expect(checker.report()).not.toBe(before), 120_000);
    expect(checker.pid()).not.toBe(frozen);
    expect(() => process.kill(frozen, 0)).toThrow();
    expect(said).toEqual([
      'MONEY IS UNCHECKED: the checker has not reported for 15 s; starting it again',
      'Money is checked again',
      expect.stringMatching(/^MONEY IS HALTED: H1: nothing is gone of what was gone over: transfers [0-9]+/),
    ]);
  } finally {
    await checker.stop();
    await owner.end();
  }
});
