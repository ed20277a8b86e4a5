import { listUnreadMessages, type Message } from '@sathorn/api';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { readKey, useRead } from '../client/use-read.ts';
import { useNavigation } from '../navigation/navigation.tsx';
import { useSession } from '../session/session.ts';
import { useTopic } from '../stream/live.ts';

/** The unread notices, read at launch and on each navigation, and told of by the stream between. */
export function useUnreadNotices(): { first: Message | undefined; count: number } {
  const { address } = useNavigation();
  const isCustomer = useSession((session) => session.token !== null);
  const queries = useQueryClient();
  const { data } = useRead(listUnreadMessages, {});

  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: readKey(listUnreadMessages) }),
    [queries],
  );
  useEffect(() => {
    if (address && isCustomer) refresh();
  }, [address, isCustomer, refresh]);
  useTopic(isCustomer ? 'messages' : null, refresh);

  return { first: isCustomer ? data?.items[0] : undefined, count: isCustomer ? (data?.unread ?? 0) : 0 };
}

/** Without asking anew. */
export function useUnreadCount(): number {
  const isCustomer = useSession((session) => session.token !== null);
  const { data } = useRead(listUnreadMessages, {}, { freshForMs: Number.POSITIVE_INFINITY });
  return isCustomer ? (data?.unread ?? 0) : 0;
}
