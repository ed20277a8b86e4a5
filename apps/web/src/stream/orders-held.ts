import type { OptionOrder } from '@sathorn/api';

export interface Orders {
  readonly byId: Readonly<Record<string, OptionOrder>>;
  /** Orders that were open here and no longer are. */
  readonly settled: readonly string[];
}

export const isSettled = (order: OptionOrder): boolean => order.status !== 'holding';

/** Changed orders: those that were open here and now have a result count as settled; old results of others are nothing new. */
export function takeOrders({ byId }: Pick<Orders, 'byId'>, changed: readonly OptionOrder[]): Orders {
  const next: Record<string, OptionOrder> = { ...byId };
  const settled: string[] = [];
  for (const order of changed) {
    const known = next[order.id];
    // Late news of an order that is settled already must not open it again.
    if (known && isSettled(known)) continue;
    if (isSettled(order)) {
      if (!known) continue;
      settled.push(order.id);
    }
    next[order.id] = order;
  }
  return { byId: next, settled };
}

/** The list of open orders as read: what was open here and is not in it (when it is whole) has been settled meanwhile. */
export function takeWhole(
  held: Pick<Orders, 'byId'>,
  open: readonly OptionOrder[],
  isWhole: boolean,
  now: number,
): Orders {
  const taken = takeOrders(held, open);
  if (!isWhole) return taken;
  const listed = new Set(open.map((order) => order.id));
  const gone = Object.values(held.byId).filter(
    // An order bought a moment ago may be younger than the list; one that has not ended can't be gone.
    (order) => !isSettled(order) && !listed.has(order.id) && Date.parse(order.end_time) < now,
  );
  return { byId: taken.byId, settled: [...taken.settled, ...gone.map((order) => order.id)] };
}
