import { expect, test } from 'vitest';
import { smallBalances } from './small-balances.ts';

const coin = (code: string, value: string | null, held = '0.00000000') => ({
  code,
  amount: '0.00000998',
  held,
  value,
});

test.each([
  ['just below the smallest order', coin('BTC', '0.999999'), true],
  ['the smallest order', coin('BTC', '1.000000'), false],
  ['the least that can be sold', coin('BTC', '0.000002'), true],
  ['what the fee would use up', coin('BTC', '0.000001'), false],
  ['nothing', coin('BTC', '0.000000'), false],
  ['partly in an order', coin('BTC', '0.5', '0.00000001'), false],
  ['without a price', coin('BTC', null), false],
  ['not traded here', coin('THB', '0.5'), false],
])('converts a balance: %s', (_, balance, isSmall) => {
  expect(smallBalances([balance]).map(({ quantity }) => quantity)).toEqual(isSmall ? ['0.00000998'] : []);
});
