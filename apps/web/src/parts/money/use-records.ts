import { type DepositRecord, listAccountRecords, readUser, type WithdrawalRecord } from '@sathorn/api';
import { readQueryKey, useRead } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { useStreamState, useTopic } from '@sathorn/app/stream';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type AccountRecord, applyRecordNews, type RecordNews } from './apply-record-news.ts';

/** The polling interval while the stream is down. While it is up, polling is rare and only covers lost frames. */
const POLL_MS = 3_000;
const RARE_POLL_MS = 20_000;

function takeNews(queries: QueryClient, news: Partial<RecordNews>): void {
  const whole: RecordNews = { deposit: [], withdrawal: [], ...news };
  queries.setQueriesData<unknown>({ queryKey: readQueryKey(listAccountRecords) }, (data: unknown) =>
    applyRecordNews(data, whole),
  );
  // A new record joins lists, an ended one leaves some, and either changes a balance, so all are read again.
  for (const call of [listAccountRecords, readUser]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
}

/** Updates all lists of deposits and withdrawals from the stream. */
export function useMoneyNews(): void {
  const isCustomer = useSession((session) => session.token !== null);
  const queries = useQueryClient();
  const onDeposits = useCallback((deposit: readonly DepositRecord[]) => takeNews(queries, { deposit }), [queries]);
  const onWithdrawals = useCallback(
    (withdrawal: readonly WithdrawalRecord[]) => takeNews(queries, { withdrawal }),
    [queries],
  );
  useTopic(isCustomer ? 'deposits' : null, onDeposits);
  useTopic(isCustomer ? 'withdrawals' : null, onWithdrawals);
}

/** Returns a function that puts an answer into the lists at once, before the stream reports it. */
export function useApplyRecordNews(): (news: Partial<RecordNews>) => void {
  const queries = useQueryClient();
  return useCallback((news) => takeNews(queries, news), [queries]);
}

const usePollMs = (): number => (useStreamState() === 'open' ? RARE_POLL_MS : POLL_MS);

/** Reads one record, live. `record` is null if no record has that id. */
function useRecord<Record>(
  setup: 'recharge' | 'withdraw',
  id: string,
  recordOf: (item?: AccountRecord) => Record | undefined,
) {
  useMoneyNews();
  const everyMs = usePollMs();
  const read = useRead(listAccountRecords, { setup, id }, { freshForMs: 0, everyMs, enabled: id !== '' });
  return { ...read, record: id === '' ? null : read.data && (recordOf(read.data.items[0]) ?? null) };
}

export const useDeposit = (id: string) => useRecord('recharge', id, (item) => item?.deposit);
export const useWithdrawal = (id: string) => useRecord('withdraw', id, (item) => item?.withdrawal);

/** Returns pending deposits, newest first; null until the first answer, so a page can wait for its height. */
export function usePendingDeposits(): DepositRecord[] | null {
  useMoneyNews();
  const everyMs = usePollMs();
  const { data, error } = useRead(
    listAccountRecords,
    { setup: 'recharge', status: 'undone' },
    { freshForMs: 0, everyMs },
  );
  return data?.items.flatMap(({ deposit }) => (deposit?.status === 'pending' ? [deposit] : [])) ?? (error ? [] : null);
}
