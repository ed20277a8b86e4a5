import { describe, expect, it } from 'vitest';
import { SlotIndex } from './slot-index.ts';
import { ID_FIELD, NUMBERS_PER_SLOT, Slots } from './slots.ts';
import { randomNumbers } from './testing-random-commands.ts';

describe('SlotIndex', () => {
  it.each([
    ['ids that count up', (n: number) => n],
    ['ids above 2^32', (n: number) => 2 ** 40 + n],
    ['ids that differ above 2^32 only', (n: number) => n * 2 ** 32],
    ['ids that come around an index of their size', (n: number) => n * 1_024],
    ['the largest', (n: number) => Number.MAX_SAFE_INTEGER - n],
  ])('is a Map for %s', (_what, keyOf) => {
    const random = randomNumbers(5);
    const slots = new Slots(8);
    const index = new SlotIndex(slots, ID_FIELD, 8);
    const map = new Map<number, number>();
    for (let step = 0; step < 60_000; step++) {
      const key = keyOf(Math.floor(random() * 2_000));
      const there = map.get(key);
      if (there !== undefined) {
        index.remove(there);
        slots.give(there);
        map.delete(key);
      } else if (random() < 0.5) {
        const slot = slots.take();
        slots.numbers[slot * NUMBERS_PER_SLOT + ID_FIELD] = key;
        index.add(slot);
        map.set(key, slot);
      }
      const other = keyOf(Math.floor(random() * 2_000));
      if (index.get(other) !== (map.get(other) ?? 0)) expect(index.get(other)).toBe(map.get(other) ?? 0);
      if (index.size !== map.size) expect(index.size).toBe(map.size);
    }
    expect(map.size).toBeGreaterThan(100);
    for (const [key, slot] of map) expect(index.get(key)).toBe(slot);
  });

  it('throws for a slot that is not there', () => {
    const slots = new Slots();
    const index = new SlotIndex(slots, ID_FIELD);
    const [one, other] = [slots.take(), slots.take()];
    slots.numbers[one * NUMBERS_PER_SLOT + ID_FIELD] = 7;
    slots.numbers[other * NUMBERS_PER_SLOT + ID_FIELD] = 7;
    index.add(one);
    expect(() => index.remove(other)).toThrow(RangeError);
    expect(index.get(7)).toBe(one);
  });
});
