import { listUnreadMessages, type Message } from '@sathorn/api';
import { readQueryKey, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { useTopic } from '@sathorn/app/stream';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useVisitState } from './visit-state.ts';

interface UnreadNotices {
  readonly first: Message | undefined;
  readonly count: number;
  /** True if a notice has arrived since the last navigation. */
  readonly hasArrival: boolean;
}

/** Returns the unread notices, read at launch and on each navigation. The stream reports new ones in between. */
export function useUnreadNotices(): UnreadNotices {
  const { address } = useNavigation();
  const isCustomer = useSession((session) => session.token !== null);
  const queries = useQueryClient();
  const { data } = useRead(listUnreadMessages, {});
  const [hasArrival, setHasArrival] = useVisitState(false);

  const refresh = useCallback(
    // A read in progress also serves this request.
    () => void queries.invalidateQueries({ queryKey: readQueryKey(listUnreadMessages) }, { cancelRefetch: false }),
    [queries],
  );
  const readFor = useRef(address);
  useEffect(() => {
    // The query reads by itself for the first page.
    if (isCustomer && readFor.current !== address) refresh();
    readFor.current = address;
  }, [address, isCustomer, refresh]);
  const known = useRef<number>(undefined);
  known.current = data?.unread;
  const hear = useCallback(
    ({ unread }: { unread: number }, isSnapshot: boolean) => {
      // A smaller number means that the customer read a notice, here or on another device.
      const isMore = known.current !== undefined && unread > known.current;
      if (isSnapshot && !isMore) return;
      if (isMore) setHasArrival(true);
      refresh();
    },
    [setHasArrival, refresh],
  );
  useTopic(isCustomer ? 'messages' : null, hear);

  return {
    first: isCustomer ? data?.items[0] : undefined,
    count: isCustomer ? (data?.unread ?? 0) : 0,
    hasArrival,
  };
}

/** Returns the loaded count, without another request. */
export function useUnreadCount(): number {
  const isCustomer = useSession((session) => session.token !== null);
  const { data } = useRead(listUnreadMessages, {}, { freshForMs: Number.POSITIVE_INFINITY });
  return isCustomer ? (data?.unread ?? 0) : 0;
}
