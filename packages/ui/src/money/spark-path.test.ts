import { expect, test } from 'vitest';
import { sparkPath } from './spark-path.ts';

test('runs from edge to edge and uses the whole height', () => {
  expect(sparkPath(['1', '3', '2'], 70, 32)).toBe('M0.0 29.0L35.0 3.0L70.0 16.0');
});

test('a constant or missing day is a line in the middle', () => {
  expect(sparkPath([], 70, 32)).toBe('M0 16H70');
  expect(sparkPath(['5', '5'], 70, 32)).toBe('M0.0 16.0L70.0 16.0');
});
