import type { OptionOrder } from '@sathorn/api';

export interface HeldOrders {
  readonly byId: Readonly<Record<string, OptionOrder>>;
  /** Orders that ended while this page had them open, oldest first, whose results have not been seen. */
  readonly results: readonly string[];
  /** Orders whose results were seen. A list that still has these open is outdated. */
  readonly done: ReadonlySet<string>;
}

export const NO_HELD_ORDERS: HeldOrders = { byId: {}, results: [], done: new Set() };

export const isSettledOrder = (order: OptionOrder): boolean => order.status !== 'holding';

/** A list that lacks an order at this age was read when it was sold already. */
const SOLD_FROM_MS = 10_000;
const soldFrom = ({ start_time }: OptionOrder): number => Date.parse(start_time) + SOLD_FROM_MS;

function settle(orders: HeldOrders, ids: readonly string[]): HeldOrders {
  const fresh = ids.filter((id) => !orders.results.includes(id) && !orders.done.has(id));
  return fresh.length === 0 ? orders : { ...orders, results: [...orders.results, ...fresh] };
}

/**
 * Applies changed orders. An order that was open here and now has a result counts as settled; old results of other
 * orders are not news.
 */
export function mergeChangedOrders(orders: HeldOrders, changed: readonly OptionOrder[]): HeldOrders {
  const byId: Record<string, OptionOrder> = { ...orders.byId };
  const settled: string[] = [];
  for (const order of changed) {
    const known = byId[order.id];
    // A late event must not reopen a settled order.
    if (orders.done.has(order.id) || (known && isSettledOrder(known))) continue;
    if (isSettledOrder(order)) {
      if (!known) continue;
      settled.push(order.id);
    }
    byId[order.id] = order;
  }
  return settle({ ...orders, byId }, settled);
}

/** Applies a list of open orders. An order that was open here but is missing from a complete list has been settled. */
export function mergeOpenOrders(
  orders: HeldOrders,
  open: readonly OptionOrder[],
  isWhole: boolean,
  now: number,
): HeldOrders {
  const taken = mergeChangedOrders(orders, open);
  if (!isWhole) return taken;
  const listed = new Set(open.map((order) => order.id));
  const gone = Object.values(orders.byId).filter(
    // A just bought order may be newer than the list. Before its end an order can only have been sold elsewhere.
    (order) =>
      !isSettledOrder(order) &&
      !listed.has(order.id) &&
      now > (order.sale ? soldFrom(order) : Date.parse(order.end_time)),
  );
  return settle(
    taken,
    gone.map((order) => order.id),
  );
}

/** Removes an order whose result the customer has seen. */
export function dismissHeldResult(orders: HeldOrders, id: string): HeldOrders {
  const { [id]: _seen, ...byId } = orders.byId;
  return { byId, results: orders.results.filter((other) => other !== id), done: new Set([...orders.done, id]) };
}

/** Open orders, sorted by end time. */
export function openOrdersOf({ byId, results }: HeldOrders): OptionOrder[] {
  return Object.values(byId)
    .filter((order) => !isSettledOrder(order) && !results.includes(order.id))
    .sort((a, b) => (a.end_time < b.end_time ? -1 : 1));
}
