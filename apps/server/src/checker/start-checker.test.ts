import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import { startChecker } from './start-checker.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.close());

it('tells when the checker is frozen, starts it again, and tells when money is checked', async () => {
  const said: string[] = [];
  // Longer than its rounds are apart.
  const checker = startChecker(test.checker, (line) => said.push(line), 15_000);
  try {
    await vi.waitFor(() => expect(checker.report()).not.toBeNull(), 20_000);
    const frozen = checker.pid() ?? 0;
    process.kill(frozen, 'SIGSTOP');
    const before = checker.report();
    await vi.waitFor(() => expect(checker.report()).not.toBe(before), 40_000);
    expect(checker.pid()).not.toBe(frozen);
    expect(() => process.kill(frozen, 0)).toThrow();
    expect(said).toEqual([
      'MONEY IS UNCHECKED: the checker has said nothing for 15 s; starting it again',
      'Money is checked again',
    ]);
  } finally {
    await checker.stop();
  }
}, 70_000);

it('gives one that needs longer than its patience more of it each time', async () => {
  const said: string[] = [];
  // Shorter than a process takes to start.
  const checker = startChecker(test.checker, (line) => said.push(line), 50);
  try {
    await vi.waitFor(() => expect(checker.report()).not.toBeNull(), 40_000);
    expect(said[0]).toMatch(/^MONEY IS UNCHECKED/);
    expect(said[1]).toBe('Money is checked again');
  } finally {
    await checker.stop();
  }
}, 50_000);
