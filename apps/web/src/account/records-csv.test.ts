import { expect, test } from 'vitest';
import type { AccountRecord } from '../parts/money/with-records.ts';
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

test('what was sent, received and charged each has its own columns, oldest first', () => {
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
