import { listFills } from '@sathorn/api';
import { rereadCalls, useRead } from '@sathorn/app/client';
import { useEffect, useMemo } from 'react';
import type { ChartFill } from '../parts/chart/fills-drawing.ts';
import { useOwnOrderStore } from './own-order-store.ts';

/** The most fills that a chart can show separately. */
const SHOWN = '100';

/** The customer's latest fills of a coin, for its chart. Read again when one of the orders changes. */
export function useFills(code: string): readonly ChartFill[] {
  const own = useOwnOrderStore();
  const { data } = useRead(listFills, { code, limit: SHOWN }, { freshForMs: 60_000 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again only when the orders change.
  useEffect(() => rereadCalls(listFills), [own]);
  return useMemo(() => data?.items.map(({ side, price, at }) => ({ side, price, at })) ?? [], [data]);
}
