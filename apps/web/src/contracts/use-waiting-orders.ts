import { listWaiting, readBalance, type WaitingOrder } from '@sathorn/api';
import { readQueryKey, rereadCalls, useRead } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { useStreamState, useTopic } from '@sathorn/app/stream';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

const POLL_MS = 2_000;

/** The customer's orders that wait, for all coins, read again whenever one changes. Undefined until loaded. */
export function useWaitingOrders(): {
  waiting: readonly WaitingOrder[] | undefined;
  isFailed: boolean;
  refetch: () => unknown;
} {
  const isCustomer = useSession((session) => session.token !== null);
  const state = useStreamState();
  const queries = useQueryClient();
  const read = useRead(
    listWaiting,
    { status: 'open' },
    { freshForMs: 0, everyMs: state === 'open' ? 30_000 : POLL_MS, enabled: isCustomer },
  );
  const changed = useCallback(() => {
    void queries.invalidateQueries({ queryKey: readQueryKey(listWaiting) });
    rereadCalls(readBalance);
  }, [queries]);
  useTopic(isCustomer ? 'waiting' : null, changed);
  return { waiting: read.data?.items, isFailed: read.isError && !read.data, refetch: read.refetch };
}
