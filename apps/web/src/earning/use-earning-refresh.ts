import { listEarningOrders, listEarningProducts, readEarningBalance } from '@sathorn/api';
import { readQueryKey } from '@sathorn/app/client';
import { useTopic } from '@sathorn/app/stream';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Reloads the shown data whenever a balance changes: income arrives at night, redemptions at any time. */
export function useEarningRefresh(): () => void {
  const queries = useQueryClient();
  const refresh = useCallback(() => {
    for (const read of [readEarningBalance, listEarningOrders, listEarningProducts])
      void queries.invalidateQueries({ queryKey: readQueryKey(read) });
  }, [queries]);
  useTopic('balances', refresh);
  return refresh;
}
