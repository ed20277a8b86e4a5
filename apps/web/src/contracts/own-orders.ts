import type { ContractOrder } from '@sathorn/api';

/** The customer's orders that this page knows: open orders, and orders that ended while the page was open. */
export interface OwnOrders {
  readonly byId: Readonly<Record<string, ContractOrder>>;
  /** Orders of this page that were filled or cancelled without the customer pressing anything, oldest first. */
  readonly news: readonly ContractOrder[];
}

export const NO_OWN_ORDERS: OwnOrders = { byId: {}, news: [] };

export const isOpenOrder = (order: Pick<ContractOrder, 'status'>): boolean =>
  order.status === 'open' || order.status === 'partial';

/** Answers and events may arrive out of order, so an ended order stays ended, and its filled quantity never falls. */
export function isNewerOrder(order: ContractOrder, known: ContractOrder | undefined): boolean {
  if (!known) return true;
  if (!isOpenOrder(known)) return false;
  return !isOpenOrder(order) || order.updated_at >= known.updated_at;
}

/**
 * Applies changed orders. An unknown order that has already ended is not announced, but is stored so that late events
 * don't reopen it.
 */
export function mergeChangedContractOrders(own: OwnOrders, changed: readonly ContractOrder[]): OwnOrders {
  const byId: Record<string, ContractOrder> = { ...own.byId };
  const news: ContractOrder[] = [];
  for (const order of changed) {
    const known = byId[order.id];
    if (!isNewerOrder(order, known)) continue;
    // The page confirmed the customer's own revocation when it was pressed, so it is not announced again.
    if (known && !isOpenOrder(order) && order.reason !== 'revoked') news.push(order);
    byId[order.id] = order;
  }
  return { byId, news: news.length === 0 ? own.news : [...own.news, ...news] };
}

/**
 * Applies the list of all open orders as of a moment. An older order that the list lacks has ended while the stream was
 * down.
 */
export function mergeOpenContractOrders(own: OwnOrders, open: readonly ContractOrder[], asOfMs: number): OwnOrders {
  const taken = mergeChangedContractOrders(own, open);
  const listed = new Set(open.map((order) => order.id));
  const kept = Object.entries(taken.byId).filter(
    ([id, order]) => !isOpenOrder(order) || listed.has(id) || Date.parse(order.created_at) >= asOfMs,
  );
  return { ...taken, byId: Object.fromEntries(kept) };
}

/** Returns the open orders, newest first. */
export function openContractOrdersOf({ byId }: OwnOrders, code?: string): ContractOrder[] {
  return Object.values(byId)
    .filter((order) => isOpenOrder(order) && (code === undefined || order.code === code))
    .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : a.id < b.id ? 1 : -1));
}
