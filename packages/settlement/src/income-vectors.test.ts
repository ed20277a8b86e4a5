import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { liquidityIncome, lockupEarned, lockupIncome, type Stage } from './accrue-income.ts';
import { checkIncomeReceipt, type IncomeReceiptText } from './check-income.ts';

const FILE = path.join(import.meta.dirname, '../../proof/vectors/incomes.json');
const STAGES = [
  { from: '0', rate: '5000000' },
  { from: '1000000000', rate: '3600000' },
  { from: '10000000000', rate: '1200000' },
];
type Receipt = IncomeReceiptText & Readonly<Record<'type' | 'day' | 'asset' | 'effective_from', string>>;

const common = { day: '2026-11-25', asset: 'USDT', version: 3, effective_from: '2026-11-01', state: 'paid' } as const;
const paid = (units: bigint) =>
  units === 0n
    ? null
    : { sequence: '4711', journal: '0'.repeat(8), units: String(units), at: '2026-11-25T17:30:00.000Z' };
function liquidity(base: bigint, carry: bigint, before: bigint): Receipt {
  const stages = STAGES.map(({ from, rate }) => ({ from: BigInt(from), rate: BigInt(rate) })) as Stage[];
  const { units, carryAfter } = liquidityIncome(base, stages, carry);
  return {
    ...common,
    type: 'liquidity',
    order: null,
    base: String(base),
    stages: STAGES,
    daily_rate: null,
    nth: null,
    days: null,
    carry_before: String(carry),
    units: String(units),
    carry_after: String(carryAfter),
    total_after: String(before + units),
    transfer: paid(units),
  } as Receipt;
}
function lockup(principal: bigint, rate: bigint, nth: number, days: number): Receipt {
  const terms = { principal, dailyRate: rate as never, days };
  const { units, carryBefore, carryAfter } = lockupIncome(terms, nth);
  return {
    ...common,
    type: 'regular',
    order: '6f1d3a9b-e8c7-425f-8a1b-2c3d4e5f6071',
    base: String(principal),
    stages: null,
    daily_rate: String(rate),
    nth,
    days,
    carry_before: String(carryBefore),
    units: String(units),
    carry_after: String(carryAfter),
    total_after: String(lockupEarned(terms, nth)),
    transfer: paid(units),
  } as Receipt;
}

const pool = liquidity(3_000_000_000n, 21_000_000_000n, 334_246n);
const order = lockup(1_000_000_001n, 15_000n, 7, 30);
const none = { ...pool.transfer, units: '1' } as never;
const CASES: [string, Receipt][] = [
  ['liquidity: two stages and a remainder', pool],
  ['liquidity: the last stage', liquidity(123_456_789_012n, 36_499_999_999n, 0n)],
  ['liquidity: exactly a stage', liquidity(1_000_000_000n, 0n, 0n)],
  ['liquidity: less than a unit', liquidity(1n, 0n, 12n)],
  ['liquidity: nothing earns', liquidity(0n, 5n, 12n)],
  ['liquidity: more than a number of JSON holds', liquidity(10n ** 19n + 7n, 1n, 10n ** 20n)],
  ['a lock-up’s first day', lockup(1_000_000_001n, 15_000n, 1, 30)],
  ['a lock-up’s seventh day', order],
  ['a lock-up’s last day', lockup(1_000_000_001n, 15_000n, 30, 30)],
  ['a day that waits', { ...pool, state: 'waiting', transfer: null }],
  ['a unit too little', { ...pool, units: String(BigInt(pool.units) - 1n), transfer: pool.transfer }],
  [
    'a unit too little, and paid so',
    { ...pool, units: '334245', transfer: { ...pool.transfer, units: '334245' } as never },
  ],
  ['a remainder that was dropped', { ...pool, carry_after: '0' }],
  ['a lock-up’s remainder of another day', { ...order, carry_before: '0' }],
  ['a total below the day', { ...pool, total_after: '1' }],
  ['a lock-up’s total of the day before', { ...order, total_after: String(BigInt(order.total_after) - 150_000n) }],
  ['another amount was paid', { ...pool, transfer: none }],
  ['paid without a transfer', { ...pool, transfer: null }],
  ['waiting with a transfer', { ...pool, state: 'waiting' }],
  ['nothing to pay and a transfer', { ...liquidity(1n, 0n, 12n), transfer: none }],
  ['a lower rate', { ...order, daily_rate: '14999' }],
  ['a lower rate of a stage', { ...pool, stages: [{ from: '0', rate: '4999999' }, ...STAGES.slice(1)] }],
];

// Other implementations of the verifier are tested with this file. WRITE_VECTORS=1 rewrites it.
it('the published income vectors match our verdicts', () => {
  const vectors = CASES.map(([name, receipt]) => {
    const faults = checkIncomeReceipt(receipt);
    return { name, receipt, verified: faults.length === 0, faults };
  });
  expect(vectors.filter(({ verified }) => verified)).toHaveLength(10);
  const text = `${JSON.stringify(vectors, null, 1)}\n`;
  if (process.env.WRITE_VECTORS) writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8') === text, 'incomes.json is not up to date').toBe(true);
});
