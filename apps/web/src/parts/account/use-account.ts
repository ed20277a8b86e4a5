import { readUser, type User } from '@sathorn/api';
import { readQueryKey, rereadCalls, useRead } from '@sathorn/app/client';
import { rememberUser, useSession } from '@sathorn/app/session';
import { useTopic } from '@sathorn/app/stream';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';

const readUserAnew = (): void => rereadCalls(readUser);

/**
 * Reads the signed-in customer: the last known state first, then the server's answer, and again whenever a balance
 * changes. `user` is null for a visitor. The library retries a failed read five times within half a minute, so the
 * failure is shown from the second try on.
 */
export function useAccount() {
  const isCustomer = useSession((session) => session.token !== null);
  const seen = useSession((session) => session.user as User | null);
  const queries = useQueryClient();
  const { data, failureCount, failureReason, isFetching, refetch } = useRead(readUser, {}, { tries: 5 });
  const error = failureCount > 1 || !isFetching ? failureReason : null;

  useEffect(() => {
    if (data) rememberUser(data);
  }, [data]);
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: readQueryKey(readUser) }), [queries]);
  useTopic(isCustomer ? 'balances' : null, readUserAnew);

  const user: User | null = isCustomer ? (data ?? seen) : null;
  return { user, isCustomer, isFresh: data !== undefined, error, isFetching, retry: () => void refetch(), refresh };
}
