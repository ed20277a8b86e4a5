import { expect, it, test } from 'vitest';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { monthBeside, monthOf, monthStatement, monthText, readMonth } from './month-statement.ts';

const SPAN = { fromMs: Date.UTC(2026, 10, 1), untilMs: Date.UTC(2026, 11, 1) };
const record = (
  at: string,
  kind: string,
  amount: string,
  balance_after: string,
  asset: AccountRecord['asset'] = 'USDT',
): AccountRecord => ({ id: `${at} ${kind}`, kind, asset, amount, balance_after, ref: null, at: `${at}T10:00:00.000Z` });

const BEFORE = record('2026-10-31', 'deposit', '50', '50');
const RECORDS = [
  record('2026-11-02', 'deposit', '100', '150'),
  record('2026-11-03', 'contract_trade', '-60', '90'),
  record('2026-11-03', 'contract_trade', '0.001', '0.001', 'BTC'),
  record('2026-11-03', 'contract_fee', '-0.000001', '0.000999', 'BTC'),
  record('2026-11-20', 'withdrawal_fee', '-1', '89'),
];
const AFTER = record('2026-12-02', 'withdrawal', '-39', '50');
const balance = (asset: string, available: string, held = '0') => ({ asset, available, held });

it('adds up opening, what came, what went, fees and closing of each asset', () => {
  const { assets, rows, addsUp } = monthStatement([AFTER, ...RECORDS.toReversed(), BEFORE], [], SPAN);
  expect(addsUp).toBe(true);
  expect(rows).toEqual(RECORDS);
  expect(assets).toEqual([
    expect.objectContaining({
      asset: 'USDT',
      opening: '50.000000',
      received: '100.000000',
      sent: '60.000000',
      fees: '1.000000',
      closing: '89.000000',
    }),
    expect.objectContaining({ asset: 'BTC', opening: '0.00000000', fees: '0.00000100', closing: '0.00099900' }),
  ]);
});

test.each<[string, readonly AccountRecord[]]>([
  [
    'a row is missing',
    RECORDS.filter(({ kind }) => kind !== 'contract_fee').concat(
      record('2026-11-21', 'box_prize', '0.1', '0.100999', 'BTC'),
    ),
  ],
  [
    'an amount is another',
    RECORDS.map((one) => (one.kind === 'deposit' ? { ...one, amount: '100.000001' } : one)).toSpliced(0, 0, BEFORE),
  ],
  [
    'a balance is another',
    RECORDS.map((one) => (one.kind === 'withdrawal_fee' ? { ...one, balance_after: '88' } : one)),
  ],
])('says that it does not add up if %s', (_what, records) => {
  expect(monthStatement(records.toReversed(), [], SPAN).addsUp).toBe(false);
});

it('shows an asset that did not move with its balance, from what came later or from the balance of now', () => {
  expect(monthStatement([AFTER], [balance('ETH', '1.5', '0.5'), balance('SOL', '0')], SPAN).assets).toEqual([
    expect.objectContaining({ asset: 'USDT', opening: '89.000000', received: '0.000000', closing: '89.000000' }),
    expect.objectContaining({ asset: 'ETH', opening: '2.00000000', closing: '2.00000000' }),
  ]);
});

test('months are named, follow each other, and are read again', () => {
  const month = monthOf(new Date(2026, 1, 15).getTime());
  expect([-2, 0, 11].map((later) => monthText(monthBeside(month, later)))).toEqual(['2025-12', '2026-02', '2027-01']);
  expect(readMonth('2026-02')).toEqual({ year: 2026, month: 2 });
  for (const text of ['2026-13', '2026-2', '1999-01', 'now', null]) expect(readMonth(text)).toBeNull();
});
