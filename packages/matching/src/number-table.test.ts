import { describe, expect, it } from 'vitest';
import { NumberTable } from './number-table.ts';
import { randomNumbers } from './testing-random-commands.ts';

describe('NumberTable', () => {
  it.each([
    ['ids that count up', (n: number) => n],
    ['ids above 2^32', (n: number) => 2 ** 40 + n],
    ['ids that differ above 2^32 only', (n: number) => n * 2 ** 32],
    ['ids that come around a table of their size', (n: number) => n * 1_024],
    ['the largest', (n: number) => Number.MAX_SAFE_INTEGER - n],
  ])('is a Map for %s', (_what, keyOf) => {
    const random = randomNumbers(5);
    const table = new NumberTable(8);
    const map = new Map<number, number>();
    for (let step = 0; step < 60_000; step++) {
      const key = keyOf(Math.floor(random() * 2_000));
      const slot = 1 + step;
      if (random() < 0.5) {
        expect(table.set(key, slot)).toBe(map.get(key) ?? 0);
        map.set(key, slot);
      } else {
        table.delete(key);
        map.delete(key);
      }
      const other = keyOf(Math.floor(random() * 2_000));
      if (table.get(other) !== (map.get(other) ?? 0)) expect(table.get(other)).toBe(map.get(other) ?? 0);
      if (table.size !== map.size) expect(table.size).toBe(map.size);
    }
    for (const [key, slot] of map) expect(table.get(key)).toBe(slot);
  });
});
