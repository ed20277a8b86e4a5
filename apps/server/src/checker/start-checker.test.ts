import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import { startChecker } from './start-checker.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.close());

it('tells when the checker says nothing, and when it does again', async () => {
  const said: string[] = [];
  // Shorter than a process takes to start, and than its first round.
  const checker = startChecker(test.checker, (line) => said.push(line), 50);
  try {
    await vi.waitFor(() => expect(checker.report()).not.toBeNull(), 20_000);
    expect(said).toEqual(['MONEY IS UNCHECKED: the checker has said nothing for 0 s', 'Money is checked again']);
    // Its next round is ten seconds away.
    await vi.waitFor(() => expect(said).toHaveLength(3), 5_000);
    expect(said[2]).toMatch(/^MONEY IS UNCHECKED/);
  } finally {
    await checker.stop();
  }
}, 30_000);
