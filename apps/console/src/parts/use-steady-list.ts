import { useRef, useState } from 'react';

/** Keeps known rows in their places; new rows wait until the operator shows them. */
export function keepShownOrder(
  shown: readonly string[],
  given: readonly string[],
): { readonly kept: readonly string[]; readonly fresh: readonly string[] } {
  const isGiven = new Set(given);
  const kept = shown.filter((id) => isGiven.has(id));
  const isKept = new Set(kept);
  const fresh = given.filter((id) => !isKept.has(id));
  // In an empty list no row can move under the pointer.
  return kept.length === 0 ? { kept: given, fresh: [] } : { kept, fresh };
}

/**
 * A list that does not re-sort while somebody reads it. `of` identifies the list: another name (a tab, a filter, a
 * page) starts a new one.
 */
export function useSteadyList<Item extends { readonly id: string }>(
  items: readonly Item[] | undefined,
  of: string,
): { readonly shown: readonly Item[]; readonly waiting: number; letIn(): void } {
  const [, draw] = useState(0);
  const order = useRef<{ of: string; ids: readonly string[] }>({ of, ids: [] });
  if (order.current.of !== of) order.current = { of, ids: [] };
  const given = items ?? [];
  const { kept, fresh } = keepShownOrder(
    order.current.ids,
    given.map(({ id }) => id),
  );
  if (items !== undefined) order.current.ids = kept;
  const byId = new Map(given.map((item) => [item.id, item]));
  return {
    shown: kept.flatMap((id) => byId.get(id) ?? []),
    waiting: fresh.length,
    letIn() {
      order.current.ids = [];
      draw((count) => count + 1);
    },
  };
}
