import { type Fill, listFills } from '@sathorn/api';
import { CallFault, callServer, readQueryKey } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import type { CoinCode } from '@sathorn/money';
import { useQuery } from '@tanstack/react-query';
import { type Position, positionsOf } from './positions-of.ts';

const PAGE = '500';
/** 20,000 fills. Beyond them an average would begin somewhere in the middle and be wrong. */
const PAGES_MAX = 40;

async function readAllFills(signal: AbortSignal): Promise<readonly Fill[] | null> {
  const fills: Fill[] = [];
  let page: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const request: { limit: string; page?: string } = { limit: PAGE, ...(page === null ? {} : { page }) };
    const answer = await callServer(listFills, request, { signal });
    if (!answer.ok) throw new CallFault(answer);
    fills.push(...answer.data.items);
    page = answer.data.next;
    if (page === null) return fills;
  }
  return null;
}

interface AllPositions {
  /** The number of fills. */
  readonly count: number;
  readonly positions: ReadonlyMap<CoinCode, Position>;
}

/** The positions by all of the customer's fills; `null` where there are too many of them for this device. */
export function usePositions() {
  const token = useSession((session) => session.token);
  return useQuery<AllPositions | null, CallFault>({
    queryKey: [...readQueryKey(listFills), 'all', token],
    queryFn: async ({ signal }) => {
      const fills = await readAllFills(signal);
      return fills === null ? null : { count: fills.length, positions: positionsOf(fills) };
    },
    enabled: token !== null,
    // Whoever comes from a trade expects to see it.
    staleTime: 0,
  });
}
