import type { ContractOrder, Fill } from '@sathorn/api';
import { expect, test } from 'vitest';
import { isFeeAbove, isRateAbove } from './judge-charges.ts';

const order = { maker_fee_rate: '0.001', taker_fee_rate: '0.002' } as ContractOrder;
const buy = {
  ...{ code: 'BTC', side: 'buy', role: 'taker', quantity: '0.00012345', amount: '7.410000' },
  ...{ fee: '0.00000025', fee_asset: 'BTC' },
} as Fill;
const sale = { ...buy, side: 'sell', role: 'maker', amount: '7.410001', fee: '0.007411', fee_asset: 'USDT' } as Fill;

test.each<[string, Partial<ContractOrder>, boolean]>([
  ['as published', {}, false],
  ['with a lower fee', { taker_fee_rate: '0.0015' }, false],
  ['with twice the maker’s fee', { maker_fee_rate: '0.002' }, true],
  ['with a taker’s fee of one part in 10,000 more', { taker_fee_rate: '0.0021' }, true],
])('an order %s is judged by the published rates', (_what, over, isAbove) => {
  expect(isRateAbove({ ...order, ...over }, { maker: '0.001', taker: '0.002' })).toBe(isAbove);
});

test.each<[string, Fill, boolean]>([
  ['a buy’s fee is rounded up to the unit', buy, false],
  ['a buy’s fee is one unit higher', { ...buy, fee: '0.00000026' }, true],
  ['a buy’s fee is lower', { ...buy, fee: '0' }, false],
  ['a maker’s sale costs the maker’s rate', sale, false],
  ['a maker’s sale costs the taker’s rate', { ...sale, fee: '0.014821' }, true],
  ['a sale’s fee is in another asset', { ...sale, fee_asset: 'BTC' }, true],
  ['a fee can’t be read', { ...buy, fee: 'none' }, true],
])('%s', (_what, fill, isAbove) => {
  expect(isFeeAbove(fill, order)).toBe(isAbove);
});
