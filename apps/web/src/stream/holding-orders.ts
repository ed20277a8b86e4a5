import { listOptions, type OptionOrder } from '@sathorn/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { readKey, useRead } from '../client/use-read.ts';
import { useSession } from '../session/session.ts';
import { serverNow, useStreamState, useTopic } from './live.ts';
import { isSettled, type Orders, takeOrders, takeWhole } from './orders-held.ts';

interface Held extends Orders {
  /** Settled while somebody was looking, oldest first: each is shown once. */
  readonly results: readonly string[];
}

export const useHeld = create<Held>(() => ({ byId: {}, settled: [], results: [] }));

// Another customer's orders must not be there for a moment.
useSession.subscribe(({ token }, before) => {
  if (token !== before.token) useHeld.setState({ byId: {}, settled: [], results: [] }, true);
});

const POLL_MS = 2_000;

/** The customer's open orders, live; polled while the stream is down. */
export function useHoldingOrders(): { orders: OptionOrder[] | undefined; refetch: () => void } {
  const isCustomer = useSession((session) => session.token !== null);
  const state = useStreamState();
  const queries = useQueryClient();
  const byId = useHeld((held) => held.byId);
  const { data, refetch } = useRead(
    listOptions,
    { status: 'holding' },
    { freshForMs: 0, everyMs: state === 'open' ? 30_000 : POLL_MS },
  );

  useEffect(() => {
    if (data) addSettled(takeWhole(useHeld.getState(), data.items, data.next === null, serverNow()));
  }, [data]);
  useTopic(isCustomer ? 'orders' : null, takeFromStream);
  const settledCount = useHeld((held) => held.results.length);
  useEffect(() => {
    // What was settled changes balances, totals and history.
    if (settledCount > 0)
      void queries.invalidateQueries({
        predicate: (query) => query.queryKey[0] !== readKey(listOptions)[0] || query.queryKey.includes('pages'),
      });
  }, [settledCount, queries]);

  const orders = Object.values(byId)
    .filter((order) => !isSettled(order))
    .sort((a, b) => (a.end_time < b.end_time ? -1 : 1));
  return { orders: data === undefined && orders.length === 0 ? undefined : orders, refetch };
}

const takeFromStream = (orders: OptionOrder[]): void => addSettled(takeOrders(useHeld.getState(), orders));

function addSettled(next: Orders): void {
  useHeld.setState(({ results }) => ({
    byId: next.byId,
    settled: [],
    results: [...results, ...next.settled.filter((id) => !results.includes(id))],
  }));
}

/** An order that was just bought, before the stream tells of it. */
export function holdOrder(order: OptionOrder): void {
  takeFromStream([order]);
}

/** The result was looked at. */
export function dismissResult(id: string): void {
  useHeld.setState(({ results, byId }) => {
    const { [id]: _seen, ...rest } = byId;
    return { results: results.filter((other) => other !== id), byId: rest };
  });
}
