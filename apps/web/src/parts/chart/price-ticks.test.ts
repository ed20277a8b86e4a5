import { expect, test } from 'vitest';
import { withoutCoveredLabels } from './price-ticks.ts';

const ticks = [100, 110, 120].map((value, n) => ({ value, coord: 90 - n * 40, text: String(value) }));

test.each([
  [109, ['100', '', '120']],
  [105, ['100', '110', '120']],
  [undefined, ['100', '110', '120']],
])('with a last price of %s the axis has %j', (last, texts) => {
  expect(withoutCoveredLabels(ticks, last, 11).map(({ text }) => text)).toEqual(texts);
});

test('a single price has no scale', () => {
  expect(withoutCoveredLabels(ticks.slice(0, 1), 100, 11)).toEqual(ticks.slice(0, 1));
});
