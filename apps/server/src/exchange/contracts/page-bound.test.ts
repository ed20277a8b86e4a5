import { describe, expect, test } from 'vitest';
import { limitAfterSkip, PAGE_SKIP_MAX, readPagePosition, readTapePosition } from './list-page.ts';

describe('pages by number', () => {
  test('never make the database skip more than a limit, and show nothing beyond it', () => {
    for (const page of ['502', '1000', '999999999', '9'.repeat(128)]) {
      for (const { skip } of [readPagePosition(page, 20), readTapePosition(page, 20)]) {
        expect(skip).toBeLessThanOrEqual(PAGE_SKIP_MAX + 1);
        expect(limitAfterSkip(skip, 21)).toBe(0);
      }
    }
  });

  test('are complete up to the limit', () => {
    for (const [page, skip] of [
      ['1', 0],
      ['2', 20],
      ['501', 10_000],
    ] as const) {
      expect(readPagePosition(page, 20).skip).toBe(skip);
      expect(limitAfterSkip(skip, 21)).toBe(21);
    }
  });
});
