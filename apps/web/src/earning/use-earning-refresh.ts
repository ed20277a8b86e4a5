import { listEarningOrders, listEarningProducts, readEarningBalance } from '@sathorn/api';
import { readKey } from '@sathorn/app/client';
import { useTopic } from '@sathorn/app/stream';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Reads what is shown again whenever a balance changes: income comes at night, redemptions on their own. */
export function useEarningRefresh(): () => void {
  const queries = useQueryClient();
  const refresh = useCallback(() => {
    for (const read of [readEarningBalance, listEarningOrders, listEarningProducts])
      void queries.invalidateQueries({ queryKey: readKey(read) });
  }, [queries]);
  useTopic('balances', refresh);
  return refresh;
}
