import type { Candle } from '@sathorn/api';
import { expect, test } from 'vitest';
import { areTradesDense } from './are-trades-dense.ts';

const candle = (minute: number, volume = '1'): Candle => [minute * 60_000, '10', '11', '9', '10', volume, 1];
const minutes = (count: number, every = 1) => Array.from({ length: count }, (_, n) => candle(n * every));

test.each([
  ['nothing', [], false],
  ['two trades of the day', minutes(2), false],
  ['nineteen of sixty', minutes(19, 3), false],
  ['twenty of sixty', minutes(20, 3), true],
  ['twenty in two hours', minutes(20, 6), false],
  ['twenty empty ones', Array.from({ length: 20 }, (_, n) => candle(n, '0.000')), false],
])('%s', (_, candles, isDense) => expect(areTradesDense(candles)).toBe(isDense));
