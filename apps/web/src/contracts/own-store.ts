import type { ContractOrder } from '@sathorn/api';
import { useSession } from '@sathorn/app/session';
import { serverNow } from '@sathorn/app/stream';
import { create } from 'zustand';
import { NO_OWN_ORDERS, type OwnOrders, takeOrders, takeWhole } from './own-orders.ts';

export const useOwn = create<OwnOrders>(() => NO_OWN_ORDERS);

// The previous customer's orders must not be visible, even for a moment.
useSession.subscribe(({ token }, before) => {
  if (token !== before.token) useOwn.setState(NO_OWN_ORDERS, true);
});

/** A list may lack an order that was placed less than this before. */
const MARGIN_MS = 5_000;

/** Takes orders from an answer or the stream. With `isWhole` they are all open orders. */
export function holdOrders(orders: readonly ContractOrder[], isWhole = false): void {
  const own = useOwn.getState();
  useOwn.setState(isWhole ? takeWhole(own, orders, serverNow() - MARGIN_MS) : takeOrders(own, orders));
}

/** Takes orders revoked together. The answer has only their ids; their final states arrive by the stream. */
export function endOrders(ids: readonly string[]): void {
  const { byId } = useOwn.getState();
  holdOrders(
    ids.flatMap((id): ContractOrder[] => {
      const known = byId[id];
      return known ? [{ ...known, status: 'cancelled', reason: 'revoked' }] : [];
    }),
  );
}
