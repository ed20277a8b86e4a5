import { type Call, inboxTopic, type RequestOf, topicName } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { stream } from '@sathorn/app/stream';
import { useEffect, useRef, useState } from 'react';
import { useIsDeskLineLost } from './use-live-read.ts';

const POLL_MS = 5_000;
/** The interval for changes caused by time alone, such as a conversation that becomes overdue. */
const SLOW_MS = 30_000;

/** The latest change of each conversation, by id. */
export type InboxChanges = ReadonlyMap<string, string>;

/** Follows the conversations of the operator's desk while the page is open. */
export function useInboxChanges(isFollowing: boolean): InboxChanges {
  const [changes, setChanges] = useState<InboxChanges>(new Map());
  useEffect(() => {
    if (!isFollowing) return undefined;
    return stream.on(topicName(inboxTopic, {}) as 'inbox', ({ threads }) =>
      setChanges(new Map(threads.map(({ id, changed }) => [id, changed]))),
    );
  }, [isFollowing]);
  return changes;
}

/** A read that repeats when `change` changes, and regularly while the stream is disconnected. */
export function useRepeatedRead<C extends Call>(
  call: C,
  request: RequestOf<C>,
  change: unknown,
  options: { readonly enabled?: boolean } = {},
) {
  const isPolled = useIsDeskLineLost();
  const query = useRead(call, request, { ...options, everyMs: isPolled ? POLL_MS : SLOW_MS });
  const known = useRef(change);
  const { refetch } = query;
  useEffect(() => {
    if (known.current === change) return;
    known.current = change;
    void refetch({ cancelRefetch: false });
  }, [change, refetch]);
  return query;
}
