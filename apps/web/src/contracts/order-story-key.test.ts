import type { ContractOrder } from '@sathorn/api';
import { feesAtLevel } from '@sathorn/settlement';
import { expect, test } from 'vitest';
import { dealtShare, restQuantityOf } from './dealt-share.ts';
import { orderStoryKey } from './order-story-key.ts';

const order = (part: Partial<ContractOrder>) =>
  ({ amount: null, dealt_quantity: '0.00000000', reason: null, ...part }) as ContractOrder;

test.each<[Partial<ContractOrder>, string]>([
  [{ status: 'open' }, 'waiting'],
  [{ status: 'partial', dealt_quantity: '0.1' }, 'partly'],
  [{ status: 'filled', dealt_quantity: '1' }, 'filled'],
  [{ status: 'filled', dealt_quantity: '1', amount: '50' }, 'spent'],
  [{ status: 'cancelled', reason: 'revoked' }, 'revoked'],
  [{ status: 'cancelled', reason: 'revoked', dealt_quantity: '0.1' }, 'revoked_partly'],
  [{ status: 'cancelled', reason: 'unfilled' }, 'unfilled'],
  [{ status: 'cancelled', reason: 'unfilled', dealt_quantity: '0.1' }, 'unfilled_partly'],
  [{ status: 'cancelled', reason: 'unfilled', amount: '50' }, 'unfilled'],
  [{ status: 'cancelled', reason: 'unfilled', dealt_quantity: '0.1', amount: '50' }, 'spent_partly'],
  [{ status: 'cancelled', reason: 'amended' }, 'amended'],
  [{ status: 'cancelled', reason: 'amended', dealt_quantity: '0.1' }, 'amended_partly'],
  [{ status: 'cancelled', reason: 'self_trade' }, 'self_trade'],
  [{ status: 'cancelled', reason: 'self_trade', dealt_quantity: '0.1' }, 'self_trade_partly'],
])('%o is described by %s', (part, story) => {
  expect(orderStoryKey(order(part))).toBe(`contracts.story.${story}`);
});

test('returns the unfilled part and the filled share', () => {
  const part = {
    quantity: '0.20000000',
    cut_quantity: '0',
    dealt_quantity: '0.05000000',
    amount: null,
    dealt_amount: '5',
  };
  expect(restQuantityOf(part)).toBe('0.15000000');
  expect(restQuantityOf({ ...part, cut_quantity: '0.10000000' })).toBe('0.05000000');
  expect(dealtShare(part)).toBe(0.25);
  expect(dealtShare({ ...part, cut_quantity: '0.10000000' })).toBe(0.5);
  expect(dealtShare({ ...part, amount: '50.000000', dealt_amount: '25.000000' })).toBe(0.5);
  expect(dealtShare({ ...part, quantity: '0.00000000', dealt_quantity: '0.00000000' })).toBe(0);
});

test('uses the fees of a level’s own row, or of the nearest lower one', () => {
  const fees = [0, 1, 3].map((level) => ({ level, maker: `m${level}`, taker: `t${level}` }));
  expect(feesAtLevel(fees, 2)?.maker).toBe('m1');
  expect(feesAtLevel(fees, 9)?.maker).toBe('m3');
  expect(feesAtLevel(fees, undefined)).toBeUndefined();
});
