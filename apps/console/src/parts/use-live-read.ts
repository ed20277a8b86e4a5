import { type Call, type DeskState, deskTopic, type RequestOf, topicName } from '@sathorn/api';
import { type ReadOptions, useRead } from '@sathorn/app/client';
import { stream, useStreamState } from '@sathorn/app/stream';
import { useEffect, useRef, useSyncExternalStore } from 'react';

const POLL_MS = 5_000;
/** The interval for changes that the desk topic does not report, such as a payout that the chain has confirmed. */
const SLOW_MS = 30_000;
/** A reconnection within this time is not reported as a lost connection. */
const LOST_AFTER_MS = 3_000;

let desk: DeskState | null = null;
/** Counts the changes that a page may have to show. */
let changes = 0;
const listeners = new Set<() => void>();
let isLost = false;
function tell(): void {
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Follows the desk topic while the console is open. Pages read again when it changes, so they need not poll. */
export function useDeskLine(): void {
  const state = useStreamState();
  useEffect(
    () =>
      stream.on(topicName(deskTopic, {}) as 'desk', (now) => {
        // The claims in the frame are shown directly. The pages read all other changes themselves.
        if (desk !== null && (desk.log !== now.log || JSON.stringify(desk.queues) !== JSON.stringify(now.queues)))
          changes += 1;
        desk = now;
        tell();
      }),
    [],
  );
  useEffect(() => {
    if (state === 'open') {
      isLost = false;
      tell();
      return undefined;
    }
    const timer = setTimeout(() => {
      isLost = true;
      tell();
    }, LOST_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state]);
}

/** The newest state of queues and claims; null before the first. */
export const useDesk = (): DeskState | null => useSyncExternalStore(subscribe, () => desk);
export const useIsDeskLineLost = (): boolean => useSyncExternalStore(subscribe, () => isLost);

/**
 * A read that repeats when the desk changes, and every five seconds while the stream is disconnected. Not for reads
 * that are logged, because each would itself be a change.
 */
export function useLiveRead<C extends Call>(
  call: C,
  request: RequestOf<C>,
  options: Omit<ReadOptions, 'everyMs'> = {},
) {
  const isPolled = useIsDeskLineLost();
  const heard = useSyncExternalStore(subscribe, () => changes);
  const query = useRead(call, request, { ...options, everyMs: isPolled ? POLL_MS : SLOW_MS });
  const answered = useRef(heard);
  const { refetch } = query;
  useEffect(() => {
    if (answered.current === heard) return;
    answered.current = heard;
    void refetch({ cancelRefetch: false });
  }, [heard, refetch]);
  return query;
}
