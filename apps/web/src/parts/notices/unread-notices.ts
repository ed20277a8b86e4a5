import { listUnreadMessages, type Message } from '@sathorn/api';
import { readKey, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { useTopic } from '@sathorn/app/stream';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

/** The unread notices, read at launch and on each navigation; the stream reports new ones in between. */
export function useUnreadNotices(): { first: Message | undefined; count: number } {
  const { address } = useNavigation();
  const isCustomer = useSession((session) => session.token !== null);
  const queries = useQueryClient();
  const { data } = useRead(listUnreadMessages, {});

  const refresh = useCallback(
    // A read already in progress serves this request too.
    () => void queries.invalidateQueries({ queryKey: readKey(listUnreadMessages) }, { cancelRefetch: false }),
    [queries],
  );
  const readFor = useRef(address);
  useEffect(() => {
    // The query reads by itself for the first page.
    if (isCustomer && readFor.current !== address) refresh();
    readFor.current = address;
  }, [address, isCustomer, refresh]);
  const hear = useCallback(
    (_: unknown, isSnapshot: boolean) => {
      if (!isSnapshot) refresh();
    },
    [refresh],
  );
  useTopic(isCustomer ? 'messages' : null, hear);

  return { first: isCustomer ? data?.items[0] : undefined, count: isCustomer ? (data?.unread ?? 0) : 0 };
}

/** Uses the loaded count, without another request. */
export function useUnreadCount(): number {
  const isCustomer = useSession((session) => session.token !== null);
  const { data } = useRead(listUnreadMessages, {}, { freshForMs: Number.POSITIVE_INFINITY });
  return isCustomer ? (data?.unread ?? 0) : 0;
}
