import { expect, test } from 'vitest';
import { groupLevels, groupSteps } from './group-book.ts';

test.each([
  ['0.01', '91330.63', ['0.01', '0.1', '1', '10', '100']],
  ['0.01', '133.00', ['0.01', '0.1']],
  ['0.00001', '0.15200', ['0.00001', '0.0001']],
  ['1', '91330', ['1', '10', '100']],
  ['0.01', '0.50', ['0.01']],
  ['0.01', null, ['0.01']],
] as const)('a book in steps of %s around %s can be grouped by %s', (tick, around, steps) => {
  expect(groupSteps(tick, around)).toEqual(steps);
});

const LEVELS = [
  ['101.00', '0.10000000'],
  ['101.04', '0.20000000'],
  ['101.10', '0.00000001'],
  ['101.11', '1'],
] as const;

test('rounds an ask up to its step, and sums exactly', () => {
  expect(groupLevels(LEVELS, 'sell', '0.1', true)).toEqual([
    ['101.0', '0.10000000'],
    ['101.1', '0.20000001'],
    ['101.2', '1.00000000'],
  ]);
});

test('rounds a bid down to its step', () => {
  expect(groupLevels(LEVELS.toReversed(), 'buy', '0.1', true)).toEqual([
    ['101.1', '1.00000001'],
    ['101.0', '0.30000000'],
  ]);
  expect(groupLevels(LEVELS.toReversed(), 'buy', '10', true)).toEqual([['100', '1.30000001']]);
});

test('leaves out a last step that may lack levels, unless it is the only one', () => {
  expect(groupLevels(LEVELS, 'sell', '0.1', false).map(([price]) => price)).toEqual(['101.0', '101.1']);
  expect(groupLevels(LEVELS, 'sell', '10', false)).toEqual([['110', '1.30000001']]);
});

test('grouping by the price step changes only the decimals', () => {
  expect(groupLevels(LEVELS, 'sell', '0.01', true).map(([price]) => price)).toEqual([
    '101.00',
    '101.04',
    '101.10',
    '101.11',
  ]);
});
