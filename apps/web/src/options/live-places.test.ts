import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flagRowsOf, multiplesBetween, priceRange, roundSteps, spreadLabels } from './live-places.ts';

test('chooses few and round steps', () => {
  expect(roundSteps(91_340, 91_380, 4)).toEqual([91_340, 91_350, 91_360, 91_370, 91_380]);
  expect(roundSteps(0.39, 0.3925, 5).map((step) => step.toFixed(4))).toEqual(['0.3900', '0.3910', '0.3920']);
  expect(roundSteps(5, 5, 4)).toEqual([]);
  expect(multiplesBetween(20_000, 10_000, 70_000)).toEqual([20_000, 40_000, 60_000]);
});

test('draws a constant price in the middle', () => {
  const { low, high } = priceRange([100, 100]);
  expect(high - 100).toBeCloseTo(100 - low);
  expect(high).toBeGreaterThan(low);
});

test('moves labels of close prices apart and keeps them on the chart', () => {
  expect(spreadLabels([50, 52, 120], 20, 0, 200)).toEqual([50, 70, 120]);
  expect(spreadLabels([195, 190], 20, 0, 200)).toEqual([200, 180]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 10 }), (places) => {
      const found = spreadLabels(places, 20, 0, 300).toSorted((a, b) => a - b);
      for (const [index, place] of found.entries()) {
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(300);
        if (index > 0) expect(place - (found[index - 1] as number)).toBeGreaterThanOrEqual(20);
      }
    }),
  );
});

test('puts flags that would cover each other into rows', () => {
  expect(flagRowsOf([100, 110, 200, 205], 40)).toEqual([0, 1, 0, 1]);
  expect(flagRowsOf([300, 300, 300], 40)).toEqual([0, 1, 2]);
});
