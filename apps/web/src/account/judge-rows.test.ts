import type { AccountEntry } from '@sathorn/proof';
import { expect, it } from 'vitest';
import { followOwnChain } from '../parts/evidence/follow-own-chain.ts';
import { creditsOf, testServer } from '../parts/evidence/testing-own-chain.ts';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { judgeRows } from './judge-rows.ts';

const SPOT = creditsOf(250);
/** An order that was opened after everything else: 5 USDT of the spot account are in it. */
const HOLD: AccountEntry = {
  ...(SPOT[249] as AccountEntry),
  n: '251',
  seq: '900',
  amount: '-5000000',
  total: '245000000',
  purpose: 'contract_hold',
};
const IN_ORDERS: AccountEntry = { ...HOLD, n: '1', amount: '5000000', total: '5000000' };
const LAST: AccountEntry = {
  ...HOLD,
  n: '252',
  seq: '901',
  amount: '1000000',
  total: '246000000',
  purpose: 'deposit',
};
const accounts = [
  { name: 'in_orders', asset: 'USDT', entries: [IN_ORDERS] },
  { name: 'spot', asset: 'USDT', entries: [...SPOT, HOLD, LAST] },
];
const { statement, door } = testServer(accounts, 1_767_300_000_000);

const rowOf = (entry: AccountEntry, after: string): AccountRecord => ({
  id: `row ${entry.n}`,
  kind: entry.purpose,
  asset: 'USDT',
  amount: '1.000000',
  balance_after: `${after}.000000`,
  ref: entry.journal,
  at: new Date(Number(entry.at)).toISOString(),
  entry: { account: 'spot', n: entry.n },
});
const rows = [
  rowOf(LAST, '251'),
  ...SPOT.slice(230)
    .reverse()
    .map((entry) => rowOf(entry, entry.n)),
];

async function judged(records: readonly AccountRecord[]) {
  const { chain } = await followOwnChain(undefined, statement, door);
  return judgeRows(records, chain?.walked ?? [], door.readEntries);
}

it('finds the rows in the walked chain: a balance counts both accounts, a move between them is no row', async () => {
  expect(await judged(rows)).toBe('follows');
});

it.each<[string, (records: AccountRecord[]) => AccountRecord[]]>([
  ['another amount', ([first, ...rest]) => [{ ...(first as AccountRecord), amount: '1.000001' }, ...rest]],
  ['another sign', ([first, ...rest]) => [{ ...(first as AccountRecord), amount: '-1.000000' }, ...rest]],
  ['another balance', ([first, ...rest]) => [{ ...(first as AccountRecord), balance_after: '250.000000' }, ...rest]],
  ['another purpose', ([first, ...rest]) => [{ ...(first as AccountRecord), kind: 'demo_money' }, ...rest]],
  ['another time', ([first, ...rest]) => [{ ...(first as AccountRecord), at: '2026-01-01T00:00:00.000Z' }, ...rest]],
  ['another event', ([first, ...rest]) => [{ ...(first as AccountRecord), ref: 'x' }, ...rest]],
  ['a row left out', (records) => records.toSpliced(5, 1)],
  ['two rows exchanged', ([one, other, ...rest]) => [other as AccountRecord, one as AccountRecord, ...rest]],
])('does not take %s', async (_, change) => {
  expect(await judged(change(rows))).toBe('differs');
});

it('waits where a row is newer than the chain, and where the server does not answer', async () => {
  const newer = { ...(rows[0] as AccountRecord), entry: { account: 'spot', n: '253' } };
  expect(await judged([newer, ...rows])).toBeNull();
  const { chain } = await followOwnChain(undefined, statement, door);
  expect(await judgeRows(rows, chain?.walked ?? [], async () => null)).toBeNull();
});

it('does not take entries that lead elsewhere', async () => {
  const { chain } = await followOwnChain(undefined, statement, door);
  const rigged = testServer(
    [
      accounts[0] as (typeof accounts)[number],
      {
        name: 'spot',
        asset: 'USDT',
        entries: [...SPOT.slice(0, 249), { ...(SPOT[249] as AccountEntry), purpose: 'demo_money' }, HOLD, LAST],
      },
    ],
    1_767_300_000_000,
  );
  expect(await judgeRows(rows, chain?.walked ?? [], rigged.door.readEntries)).toBe('differs');
});
