import { expect, test } from 'vitest';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { type ExportFormat, exportCsv } from './tax-csv.ts';

const record = (kind: string, amount: string, more: Partial<AccountRecord> = {}): AccountRecord => ({
  id: 'p1',
  kind,
  asset: 'USDT',
  amount,
  balance_after: '10.000000',
  ref: kind,
  at: '2026-11-21T07:00:01.500Z',
  ...more,
});
const btc = (kind: string, amount: string) => record(kind, amount, { asset: 'BTC' });

const YEAR = { from: '2026-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' };
const OLDEST_FIRST = [
  record('deposit', '250.000000'),
  record('contract_trade', '-99.000000', { ref: 'r1' }),
  record('contract_trade', '0.00100000', { ref: 'r1', asset: 'BTC' }),
  record('contract_fee', '-0.00000150', { ref: 'r1', asset: 'BTC' }),
  record('option_stake', '-10.000000'),
  record('option_payout', '8.000000', { ref: 'r2' }),
  record('option_fee', '-0.400000', { ref: 'r2' }),
  record('lockup_subscribed', '-50.000000'),
  record('lockup_income', '0.100000'),
  record('sign_in_reward', '5', { asset: 'POINTS' }),
  record('box_prize', '1.000000'),
  record('recovery_fee', '-2.000000'),
  record('withdrawal', '-20.000000', { ref: 'r3' }),
  record('withdrawal_fee', '-1.000000', { ref: 'r3' }),
];
const rowsIn = (format: ExportFormat, records: readonly AccountRecord[] = OLDEST_FIRST): string[] =>
  exportCsv(format, records.toReversed(), YEAR, 'Sathorn').text.trimEnd().split('\r\n');

test('Koinly gets one row for each event, with its labels, and nothing that stays the customer’s', () => {
  expect(rowsIn('koinly').map((row) => row.replace('2026-11-21 07:00:01 UTC,', ''))).toEqual([
    'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
    ',,250.000000,USDT,,,,,,deposit,p1',
    '99.000000,USDT,0.00100000,BTC,0.00000150,BTC,,,,contract_trade,p1',
    '10.000000,USDT,,,,,,,realized gain,option_stake,p1',
    ',,8.000000,USDT,0.400000,USDT,,,realized gain,option_payout,p1',
    ',,0.100000,USDT,,,,,lending interest,lockup_income,p1',
    ',,1.000000,USDT,,,,,reward,box_prize,p1',
    '2.000000,USDT,,,,,,,cost,recovery_fee,p1',
    '20.000000,USDT,,,1.000000,USDT,,,,withdrawal,p1',
  ]);
});

test('CoinTracking gets the same events by its own types', () => {
  expect(rowsIn('cointracking').map((row) => row.replace(/,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$/, ''))).toEqual([
    'Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency',
    'Deposit,250.000000,USDT,,,,',
    'Trade,0.00100000,BTC,99.000000,USDT,0.00000150,BTC',
    'Derivatives / Futures Loss,,,10.000000,USDT,,',
    'Derivatives / Futures Profit,8.000000,USDT,,,0.400000,USDT',
    'Interest Income,0.100000,USDT,,,,',
    'Reward / Bonus,1.000000,USDT,,,,',
    'Other Fee,,,2.000000,USDT,,',
    'Withdrawal,,,20.000000,USDT,1.000000,USDT',
  ]);
  expect(rowsIn('cointracking')[1]).toBe('Deposit,250.000000,USDT,,,,,Sathorn,,deposit,2026-11-21 07:00:01,p1');
});

test('a sale of dust that brings nothing is a cost, in both', () => {
  const dust = [btc('contract_trade', '-0.00000001')];
  expect(rowsIn('koinly', dust)[1]).toContain('0.00000001,BTC,,,,,,,cost,');
  expect(rowsIn('cointracking', dust)[1]).toMatch(/^Other Fee,,,0.00000001,BTC,/);
});

test('a span has the events from its beginning up to its end, in every format', () => {
  const at = (time: string) => record('deposit', '1.000000', { at: time });
  const records = [
    at('2027-01-01T00:00:00.000Z'),
    at('2026-12-31T23:59:59.999Z'),
    at('2026-01-01T00:00:00.000Z'),
    at('2025-12-31T23:59:59.999Z'),
  ];
  for (const format of ['table', 'koinly', 'cointracking'] as const)
    expect(exportCsv(format, records, YEAR, 'Sathorn').count, format).toBe(2);
});
