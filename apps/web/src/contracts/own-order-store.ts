import type { ContractOrder } from '@sathorn/api';
import { useSession } from '@sathorn/app/session';
import { serverNowMs } from '@sathorn/app/stream';
import { create } from 'zustand';
import { mergeChangedContractOrders, mergeOpenContractOrders, NO_OWN_ORDERS, type OwnOrders } from './own-orders.ts';

export const useOwnOrderStore = create<OwnOrders>(() => NO_OWN_ORDERS);

// The previous customer's orders must not be visible, even for a moment.
useSession.subscribe(({ token }, before) => {
  if (token !== before.token) useOwnOrderStore.setState(NO_OWN_ORDERS, true);
});

/** A list may lack an order that was placed less than this before. */
const MARGIN_MS = 5_000;

/** Takes orders from an answer or the stream. With `isWhole` they are all open orders. */
export function storeOwnOrders(orders: readonly ContractOrder[], isWhole = false): void {
  const own = useOwnOrderStore.getState();
  useOwnOrderStore.setState(
    isWhole ? mergeOpenContractOrders(own, orders, serverNowMs() - MARGIN_MS) : mergeChangedContractOrders(own, orders),
  );
}

/** Takes orders revoked together. The answer has only their ids; their final states arrive by the stream. */
export function markOrdersRevoked(ids: readonly string[]): void {
  const { byId } = useOwnOrderStore.getState();
  storeOwnOrders(
    ids.flatMap((id): ContractOrder[] => {
      const known = byId[id];
      return known ? [{ ...known, status: 'cancelled', reason: 'revoked' }] : [];
    }),
  );
}
