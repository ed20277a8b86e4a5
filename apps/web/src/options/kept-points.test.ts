import { expect, test } from 'vitest';
import { parseKeptPoints } from './kept-points.ts';

const point = { sequence: 7, at: 1_000, value: 91_340.5, price: '91340.50' };

test('restores the coin’s points exactly as they were stored', () => {
  expect(parseKeptPoints('BTC', JSON.parse(JSON.stringify({ code: 'BTC', points: [point] })))).toEqual([point]);
});

test.each([
  ['another coin', { code: 'ETH', points: [point] }],
  ['nothing', null],
  ['no points', { code: 'BTC' }],
  ['a point without a price', { code: 'BTC', points: [{ ...point, price: undefined }] }],
  ['a point at no time', { code: 'BTC', points: [{ ...point, at: 'now' }] }],
])('%s gives none', (_what, kept) => {
  expect(parseKeptPoints('BTC', kept)).toEqual([]);
});
