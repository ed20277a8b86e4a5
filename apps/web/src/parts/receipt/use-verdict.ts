import type { OptionReceipt } from '@sathorn/api';
import type { ReceiptVerdict } from '@sathorn/proof';
import { useQuery } from '@tanstack/react-query';
import { useTickers } from '../../stream/tickers.ts';
import { type NewKeys, newKeysOf } from './new-keys.ts';
import { useProofKeys } from './use-proof-keys.ts';

/** What the checks gave, and which of them rest on a key that is new to this device. */
export interface DeviceVerdict extends ReceiptVerdict {
  readonly newKeys: NewKeys;
}

/** Computes on this device; the proof code comes with the first receipt. */
export function useVerdict(receipt: OptionReceipt | null | undefined, coin: string | null) {
  const { keys, known, error, refetch } = useProofKeys({ enabled: receipt != null });
  // The newest tick that this device has seen: no earlier one may be said to be missing.
  const newest = useTickers((tickers) => (coin === null ? undefined : tickers[coin]?.at));
  const verdict = useQuery<DeviceVerdict>({
    queryKey: ['verdict', receipt, keys],
    enabled: receipt != null && keys !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { readOptionTerms, verifyOptionReceipt } = await import('@sathorn/proof');
      if (!receipt || !keys) throw new Error('nothing to verify');
      const found = await verifyOptionReceipt(
        receipt,
        keys,
        newest === undefined ? {} : { newestTickMs: Date.parse(newest) },
      );
      const terms = readOptionTerms(receipt.terms.body);
      return { ...found, newKeys: terms ? newKeysOf(receipt, terms, known) : {} };
    },
  });
  return {
    verdict: verdict.data,
    error: error ?? verdict.error,
    retry: () => (error ? refetch() : verdict.refetch()),
  };
}
