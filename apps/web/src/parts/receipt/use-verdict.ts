import { type OptionReceipt, readProofKeys } from '@sathorn/api';
import type { ReceiptVerdict } from '@sathorn/proof';
import { useQuery } from '@tanstack/react-query';
import { useRead } from '../../client/use-read.ts';
import { useTickers } from '../../stream/tickers.ts';

/** Computes on this device; the proof code comes with the first receipt. */
export function useVerdict(receipt: OptionReceipt | null | undefined, coin: string | null) {
  const keys = useRead(readProofKeys, {}, { enabled: receipt != null, freshForMs: 60_000 });
  // The newest tick that this device has seen: no earlier one may be said to be missing.
  const newest = useTickers((tickers) => (coin === null ? undefined : tickers[coin]?.at));
  const verdict = useQuery<ReceiptVerdict>({
    queryKey: ['verdict', receipt, keys.data],
    enabled: receipt != null && keys.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { verifyOptionReceipt } = await import('@sathorn/proof');
      if (!receipt || !keys.data) throw new Error('nothing to verify');
      return verifyOptionReceipt(
        receipt,
        keys.data.keys,
        newest === undefined ? {} : { newestTickMs: Date.parse(newest) },
      );
    },
  });
  return {
    verdict: verdict.data,
    error: keys.error ?? verdict.error,
    retry: () => (keys.error ? keys.refetch() : verdict.refetch()),
  };
}
