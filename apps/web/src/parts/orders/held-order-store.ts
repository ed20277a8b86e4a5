import { listOptions, type OptionOrder, readBalance, readOptionTotals } from '@sathorn/api';
import type { CallFault } from '@sathorn/app/client';
import { queryClient, readQueryKey, rereadCalls, useRead } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { serverNowMs, stream, useStreamState } from '@sathorn/app/stream';
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { useTickers } from '../market/tickers.ts';
import {
  dismissHeldResult,
  type HeldOrders,
  mergeChangedOrders,
  mergeOpenOrders,
  NO_HELD_ORDERS,
  openOrdersOf,
} from './held-orders.ts';
import { findStartPrices, useStartPrices } from './start-prices.ts';

export const useHeldOrderStore = create<HeldOrders>(() => NO_HELD_ORDERS);

// The previous customer's orders must not be visible, even for a moment.
useSession.subscribe(({ token }, before) => {
  if (token !== before.token) useHeldOrderStore.setState(NO_HELD_ORDERS, true);
});
useTickers.subscribe(() => findStartPrices(openOrdersOf(useHeldOrderStore.getState())));

const POLL_MS = 2_000;
const CHANGED_BY_PURCHASE = [listOptions, readBalance, readOptionTotals];

let followers = 0;
let stops: (() => void)[] = [];

/** The shell and the screens share one subscription, so that an event is handled once. */
function follow(): () => void {
  followers += 1;
  if (followers === 1) {
    stops = [
      stream.on('orders', (orders) => storeHeldOrders(orders)),
      // The stream sends an order only when it is settled. A purchase on another device changes the balances, which
      // triggers this read.
      stream.on('balances', () => {
        rereadCalls(...CHANGED_BY_PURCHASE);
      }),
      useHeldOrderStore.subscribe(({ results }, before) => {
        // A settlement changes balances, totals and history.
        if (results.length > before.results.length)
          void queryClient.invalidateQueries({
            predicate: (query) =>
              query.queryKey[0] !== readQueryKey(listOptions)[0] || query.queryKey.includes('pages'),
          });
      }),
    ];
  }
  return () => {
    followers -= 1;
    if (followers === 0) for (const stop of stops.splice(0)) stop();
  };
}

/** Returns the customer's open orders, live. Polls while the stream is down. */
export function useHoldingOrders(): { orders: OptionOrder[] | undefined; error: CallFault | null; retry: () => void } {
  const isCustomer = useSession((session) => session.token !== null);
  const state = useStreamState();
  const held = useHeldOrderStore();
  const starts = useStartPrices();
  const { data, error, refetch } = useRead(
    listOptions,
    { status: 'holding' },
    { freshForMs: 0, everyMs: state === 'open' ? 30_000 : POLL_MS },
  );

  useEffect(() => {
    if (data)
      useHeldOrderStore.setState(
        mergeOpenOrders(useHeldOrderStore.getState(), data.items, data.next === null, serverNowMs()),
      );
  }, [data]);
  useEffect(() => (isCustomer ? follow() : undefined), [isCustomer]);
  const orders = useMemo(
    () =>
      openOrdersOf(held).map((order) =>
        order.start_price === null ? { ...order, start_price: starts[order.id] ?? null } : order,
      ),
    [held, starts],
  );
  return { orders: data === undefined && orders.length === 0 ? undefined : orders, error, retry: () => void refetch() };
}

/** Adds orders from the stream, or a new purchase. */
export function storeHeldOrders(orders: readonly OptionOrder[]): void {
  useHeldOrderStore.setState(mergeChangedOrders(useHeldOrderStore.getState(), orders));
}

/** Orders just bought on this page that no list contains yet. */
export const justBoughtIds = new Set<string>();

/** The number of open sheets that show results. While there is one, no toast announces results. */
export const openResultSheets = { shown: 0 };

/** Records that the customer has seen the result. */
export function dismissResult(id: string): void {
  useHeldOrderStore.setState(dismissHeldResult(useHeldOrderStore.getState(), id));
}
