import { expect, test } from 'vitest';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { areRecordsGapless, balanceBefore, groupRecordsByDay } from './day-groups.ts';

const record = (at: string, amount: string, after: string | null, asset = 'USDT'): AccountRecord => ({
  id: at,
  kind: 'deposit',
  asset,
  amount,
  balance_after: after,
  ref: null,
  at,
});
const rows = [
  record('2026-11-22T12:00:00Z', '-0.100000', '118.300000'),
  record('2026-11-22T11:00:00Z', '0.00120000', '0.00120000', 'BTC'),
  record('2026-11-22T10:00:00Z', '18.400000', '118.400000'),
  record('2026-11-20T10:00:00Z', '100.000000', '100.000000'),
];

test('sums each day in USDT only, and the last day only when it is completely loaded', () => {
  const groups = groupRecordsByDay(rows, false);
  expect(groups.map(({ records }) => records.length)).toEqual([3, 1]);
  expect(groups.map(({ sums }) => sums)).toEqual([{ income: '18.400000', expenditure: '0.100000' }, null]);
  expect(groupRecordsByDay(rows, true)[1]?.sums).toEqual({ income: '100.000000', expenditure: '0.000000' });
});

test('rows whose balances follow from each other have no gap, each asset by itself', () => {
  expect(areRecordsGapless(rows)).toBe(true);
  expect(areRecordsGapless(rows.filter((_, place) => place !== 2))).toBe(false);
  expect(areRecordsGapless(rows.slice(0, 2))).toBeNull();
});

test('the balance before a row is the balance after it minus the row’s amount', () => {
  expect(rows.map(balanceBefore)).toEqual(['118.400000', '0.00000000', '100.000000', '0.000000']);
  expect(balanceBefore(record('2026-11-20T10:00:00Z', '1', null))).toBeNull();
});
