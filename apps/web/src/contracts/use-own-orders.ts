import { type ContractOrder, listContracts, readBalance, readUser } from '@sathorn/api';
import { readQueryKey, rereadCalls, useRead } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { useStreamState, useTopic } from '@sathorn/app/stream';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { storeOwnOrders, useOwnOrderStore } from './own-order-store.ts';
import { isOpenOrder, openContractOrdersOf } from './own-orders.ts';

const POLL_MS = 2_000;
const readBalancesAnew = (): void => rereadCalls(readBalance, readUser);

/** The customer's open orders for all coins, live. Polls while the stream is down. Undefined until loaded. */
export function useOwnOrders(): { open: ContractOrder[] | undefined; isFailed: boolean; refetch: () => unknown } {
  const isCustomer = useSession((session) => session.token !== null);
  const state = useStreamState();
  const queries = useQueryClient();
  const own = useOwnOrderStore();
  const read = useRead(
    listContracts,
    { status: 'open' },
    { freshForMs: 0, everyMs: state === 'open' ? 30_000 : POLL_MS },
  );
  const { data } = read;

  useEffect(() => {
    if (data) storeOwnOrders(data.items, data.next === null);
  }, [data]);
  useTopic(isCustomer ? 'contracts' : null, storeOwnOrders);

  // A placed or ended order changes other lists too.
  const states = Object.values(own.byId)
    .map((order) => `${order.id} ${isOpenOrder(order)}`)
    .join();
  useEffect(() => {
    if (states === '') return;
    void queries.invalidateQueries({
      predicate: ({ queryKey: [call, part] }) => call === readQueryKey(listContracts)[0] && part === 'pages',
    });
  }, [states, queries]);
  useTopic(isCustomer ? 'balances' : null, readBalancesAnew);

  const open = useMemo(() => openContractOrdersOf(own), [own]);
  return {
    open: data === undefined && open.length === 0 ? undefined : open,
    isFailed: read.isError && !data,
    refetch: read.refetch,
  };
}
