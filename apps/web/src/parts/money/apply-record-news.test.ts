import type { DepositRecord, WithdrawalRecord } from '@sathorn/api';
import { expect, test } from 'vitest';
import { type AccountRecord, applyRecordNews } from './apply-record-news.ts';

const record = (id: string, of: Partial<AccountRecord>): AccountRecord => ({
  id,
  kind: 'deposit',
  asset: 'USDT',
  amount: '1',
  balance_after: null,
  ref: null,
  at: '2026-11-21T07:00:01.000Z',
  ...of,
});
const deposit = (id: string, confirmations: number) => ({ id, confirmations }) as DepositRecord;
const withdrawal = (id: string, step: WithdrawalRecord['step']) => ({ id, step }) as WithdrawalRecord;
const news = { deposit: [deposit('d1', 8)], withdrawal: [withdrawal('w1', 'sending')] };

test('puts the newest state into a page and into a list of pages', () => {
  const page = {
    items: [
      record('a', { deposit: deposit('d1', 7) }),
      record('b', { withdrawal: withdrawal('w1', 'approved') }),
      record('c', {}),
    ],
    next: null,
  };
  const after = applyRecordNews(page, news);
  expect(after.items.map((item) => [item.deposit?.confirmations, item.withdrawal?.step])).toEqual([
    [8, undefined],
    [undefined, 'sending'],
    [undefined, undefined],
  ]);
  expect(applyRecordNews({ pages: [page], pageParams: [] }, news).pages[0]?.items[0]?.deposit?.confirmations).toBe(8);
});

test('returns the same list if nothing in it is new, so that nothing renders again', () => {
  const page = { items: [record('a', { deposit: deposit('d2', 7) })], next: null };
  expect(applyRecordNews(page, news)).toBe(page);
  expect(applyRecordNews(undefined, news)).toBeUndefined();
  const pages = { pages: [page], pageParams: [] };
  expect(applyRecordNews(pages, news)).toBe(pages);
});
