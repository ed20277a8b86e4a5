import { expect, test } from 'vitest';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { csvCell, recordsCsv } from './records-csv.ts';

const record = (kind: string, amount: string, more: Partial<AccountRecord> = {}): AccountRecord => ({
  id: 'p1',
  kind,
  asset: 'USDT',
  amount,
  balance_after: '10.000000',
  ref: 'r1',
  at: '2026-11-21T07:00:01.000Z',
  ...more,
});

test('sent, received and charged amounts each have their own columns, oldest first', () => {
  const csv = recordsCsv([
    record('withdrawal_fee', '-1.200000', { id: 'p3' }),
    record('contract_trade', '-0.50000000', { id: 'p2', asset: 'BTC', balance_after: null, ref: null }),
    record('deposit', '250.000000'),
  ]);
  expect(csv).toBe(
    [
      'date_utc,sent_amount,sent_currency,received_amount,received_currency,fee_amount,fee_currency,label,balance_after,posting,reference',
      '2026-11-21T07:00:01.000Z,,,250.000000,USDT,,,deposit,10.000000,p1,r1',
      '2026-11-21T07:00:01.000Z,0.50000000,BTC,,,,,contract_trade,,p2,',
      '2026-11-21T07:00:01.000Z,,,,,1.200000,USDT,withdrawal_fee,10.000000,p3,r1',
      '',
    ].join('\r\n'),
  );
});

const HEAD =
  'date_utc,sent_amount,sent_currency,received_amount,received_currency,fee_amount,fee_currency,label,balance_after,posting,reference';
const rowsOf = (...oldestFirst: AccountRecord[]) => {
  const [head, ...rows] = recordsCsv(oldestFirst.toReversed()).trimEnd().split('\r\n');
  expect(head).toBe(HEAD);
  return rows.map((row) => row.replace('2026-11-21T07:00:01.000Z,', ''));
};
const btc = (kind: string, amount: string, more: Partial<AccountRecord> = {}) =>
  record(kind, amount, { asset: 'BTC', balance_after: '2.00000000', ...more });

test('each fill is one row with both sides and its fee, for maker and taker alike', () => {
  expect(
    rowsOf(
      // One purchase that matched two orders.
      record('contract_trade', '-99.000000', { id: 'a1' }),
      btc('contract_trade', '0.00100000', { id: 'a2' }),
      btc('contract_fee', '-0.00000150', { id: 'a3' }),
      record('contract_trade', '-50.000000', { id: 'a4' }),
      btc('contract_trade', '0.00050000', { id: 'a5' }),
      btc('contract_fee', '-0.00000075', { id: 'a6' }),
      // A resting sale that was filled.
      record('contract_trade', '60.000000', { id: 'b1', ref: 'r2' }),
      record('contract_fee', '-0.060000', { id: 'b2', ref: 'r2' }),
      btc('contract_trade', '-0.00100000', { id: 'b3', ref: 'r2' }),
      // A fill too small to pay a unit of USDT.
      btc('contract_trade', '-0.00000001', { id: 'c1', ref: 'r3' }),
    ),
  ).toEqual([
    '99.000000,USDT,0.00100000,BTC,0.00000150,BTC,contract_trade,,a1 a2 a3,r1',
    '50.000000,USDT,0.00050000,BTC,0.00000075,BTC,contract_trade,,a4 a5 a6,r1',
    '0.00100000,BTC,60.000000,USDT,0.060000,USDT,contract_trade,,b1 b2 b3,r2',
    '0.00000001,BTC,,,,,contract_trade,2.00000000,c1,r3',
  ]);
});

test('a fee is in the row that it was charged for, and in no other', () => {
  expect(
    rowsOf(
      record('withdrawal', '-20.000000', { id: 'w1' }),
      record('withdrawal_fee', '-1.000000', { id: 'w2', balance_after: '9.000000' }),
      record('option_payout', '8.000000', { id: 'o1', ref: 'r2' }),
      record('option_fee', '-0.400000', { id: 'o2', ref: 'r2' }),
      // Two options that ended at the same moment are not a trade of one for the other.
      record('option_stake', '-10.000000', { id: 'o3', ref: 'r3' }),
      record('option_payout', '8.000000', { id: 'o4', ref: 'r3' }),
      record('withdrawal', '-20.000000', { id: 'x1', ref: null }),
      record('withdrawal_fee', '-1.000000', { id: 'x2', ref: null }),
    ),
  ).toEqual([
    '20.000000,USDT,,,1.000000,USDT,withdrawal,9.000000,w1 w2,r1',
    ',,8.000000,USDT,0.400000,USDT,option_payout,10.000000,o1 o2,r2',
    '10.000000,USDT,,,,,option_stake,10.000000,o3,r3',
    ',,8.000000,USDT,,,option_payout,10.000000,o4,r3',
    '20.000000,USDT,,,,,withdrawal,10.000000,x1,',
    ',,,,1.000000,USDT,withdrawal_fee,10.000000,x2,',
  ]);
});

test.each([
  ['lockup_subscribed', '-50.000000'],
  ['lockup_matured', '50.000000'],
  ['liquidity_subscribed', '-50.000000'],
  ['liquidity_redeemed', '50.000000'],
])('%s sends and receives the same, so it changes no total', (kind, amount) => {
  expect(rowsOf(record(kind, amount))).toEqual([`50.000000,USDT,50.000000,USDT,,,${kind},10.000000,p1,r1`]);
});

test('income from a lock-up or liquidity counts as received', () => {
  expect(rowsOf(record('lockup_income', '0.100000'))).toEqual([',,0.100000,USDT,,,lockup_income,10.000000,p1,r1']);
});

test.each([
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['-Ab3', '"\'-Ab3"'],
  ['+1', '"\'+1"'],
  ['@x', '"\'@x"'],
  [' ＝1', '"\' ＝1"'],
  ['a,b', '"a,b"'],
  ['Zk_-9', 'Zk_-9'],
])('the cell %s is written as %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
