import { describe, expect, it } from 'vitest';
import { PriceLadder } from './price-ladder.ts';
import { NUMBERS_PER_SLOT, PRICE_FIELD, Slots } from './slots.ts';
import { randomNumbers } from './testing-random-commands.ts';

describe.each(['higher', 'lower'] as const)('a ladder where %s is better', (better) => {
  const prices = (ladder: PriceLadder, most: number): number[] => {
    const found: number[] = [];
    if (most > 0)
      ladder.walk((level) => {
        found.push(level);
        return found.length < most;
      });
    return found;
  };
  const ordered = (levels: Iterable<number>): number[] =>
    [...levels].sort((a, b) => (better === 'higher' ? b - a : a - b));

  it.each([
    ['few prices', 40, 20_000],
    ['thousands in many chunks', 20_000, 60_000],
  ])('is a sorted list of %s', (_what, range, steps) => {
    const random = randomNumbers(3);
    const slots = new Slots(range + 1);
    const ladder = new PriceLadder(slots, better);
    const present = new Set<number>();
    for (let step = 0; step < steps; step++) {
      // Grows, then shrinks to nothing, repeatedly.
      const isGrowing = Math.floor((step * 4) / steps) % 2 === 0;
      const price = 1 + Math.floor(random() * range);
      // Here a level's slot number equals its price.
      slots.numbers[price * NUMBERS_PER_SLOT + PRICE_FIELD] = price;
      if (present.has(price)) {
        if (!isGrowing || random() < 0.3) {
          ladder.remove(price);
          present.delete(price);
        }
      } else if (isGrowing || random() < 0.1) {
        ladder.insert(price);
        present.add(price);
      }
      if (ladder.find(price) !== (present.has(price) ? price : 0)) expect.fail(`step ${step}: ${price}`);
      if (step % 500 === 0) {
        expect(prices(ladder, Number.POSITIVE_INFINITY)).toEqual(ordered(present));
        expect(ladder.best()).toBe(ordered(present)[0] ?? 0);
        expect(ladder.size).toBe(present.size);
      }
    }
    for (const price of ordered(present)) {
      if (ladder.best() !== price) expect(ladder.best()).toBe(price);
      ladder.remove(price);
    }
    expect(ladder.best()).toBe(0);
    expect(prices(ladder, 1)).toEqual([]);
  });
});
