import { type ResultOf, readOption } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';

const isPromisedSale = ({ status, receipt }: ResultOf<typeof readOption>): boolean =>
  status === 'sold' && receipt?.promise !== null;

/** Reads the order with its receipt. Polls until the order is settled and the tick after its end exists. */
export function useReceipt(id: string | null) {
  const query = useRead(readOption, { id: id ?? '' }, { enabled: id !== null, freshForMs: 2_000, everyMs: false });
  const order = query.data;
  const isWhole =
    order !== undefined &&
    order.status !== 'holding' &&
    order.receipt !== null &&
    // An option that is sold at once may have no tick yet that names its terms.
    (order.receipt.ticks.after_end !== null || order.status === 'void' || isPromisedSale(order));
  useRead(
    readOption,
    { id: id ?? '' },
    { enabled: id !== null && !query.isError && !isWhole, freshForMs: 500, everyMs: 1_000 },
  );
  return { order, isWhole, isFailed: query.isError && !order, error: query.error, refetch: query.refetch };
}
