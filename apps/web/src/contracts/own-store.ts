import type { ContractOrder } from '@sathorn/api';
import { useSession } from '@sathorn/app/session';
import { serverNow } from '@sathorn/app/stream';
import { create } from 'zustand';
import { NO_OWN_ORDERS, type OwnOrders, takeOrders, takeWhole } from './own-orders.ts';

export const useOwn = create<OwnOrders>(() => NO_OWN_ORDERS);

// Orders of the previous customer must not be visible, even for a moment.
useSession.subscribe(({ token }, before) => {
  if (token !== before.token) useOwn.setState(NO_OWN_ORDERS, true);
});

/** A list requested less than this after an order was placed may not contain the order yet. */
const MARGIN_MS = 5_000;

/** Takes orders from an answer or the stream; with `isWhole` they are all open ones. */
export function holdOrders(orders: readonly ContractOrder[], isWhole = false): void {
  const own = useOwn.getState();
  useOwn.setState(isWhole ? takeWhole(own, orders, serverNow() - MARGIN_MS) : takeOrders(own, orders));
}

/** Orders that were revoked together. The answer contains only their ids; their final states arrive by the stream. */
export function endOrders(ids: readonly string[]): void {
  const { byId } = useOwn.getState();
  holdOrders(
    ids.flatMap((id): ContractOrder[] => {
      const known = byId[id];
      return known ? [{ ...known, status: 'cancelled', reason: 'revoked' }] : [];
    }),
  );
}
