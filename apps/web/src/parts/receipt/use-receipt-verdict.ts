import type { OptionOrder, OptionReceipt } from '@sathorn/api';
import { useQuery } from '@tanstack/react-query';
import type { JudgedReceipt } from '../evidence/judge-receipt.ts';
import { useTickers } from '../market/tickers.ts';
import { type NewKeys, newKeysOf } from './new-keys.ts';
import { useProofKeys } from './use-proof-keys.ts';

/** The results of the checks, with the checks that rely on a key new to this device. */
export interface DeviceVerdict extends JudgedReceipt {
  readonly newKeys: NewKeys;
}

/**
 * Verifies a receipt on this device; the proof code loads with the first receipt. `order` is the one on the screen,
 * because another order's receipt proves nothing about it.
 */
export function useReceiptVerdict(
  receipt: OptionReceipt | null | undefined,
  coin: string | null,
  order: OptionOrder | null = null,
) {
  const { keys, known, error, refetch } = useProofKeys({ enabled: receipt != null });
  // The newest tick that this device has seen. The server cannot claim that an earlier one does not exist.
  const newest = useTickers((tickers) => (coin === null ? undefined : tickers[coin]?.at));
  const verdict = useQuery<DeviceVerdict>({
    queryKey: ['verdict', receipt, keys, order?.id],
    enabled: receipt != null && keys !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [{ readOptionTerms }, { judgeReceipt }, { readDeviceMemory }, { keepReceipt }] = await Promise.all([
        import('@sathorn/proof'),
        import('../evidence/judge-receipt.ts'),
        import('../evidence/read-device-memory.ts'),
        import('../evidence/kept-purchase.ts'),
      ]);
      if (!receipt || !keys) throw new Error('nothing to verify');
      const memory = await readDeviceMemory(receipt);
      const newestTickMs = newest === undefined ? null : Date.parse(newest);
      const found = await judgeReceipt(receipt, { ...memory, keys, order, newestTickMs });
      const terms = readOptionTerms(receipt.terms.body);
      if (terms && found.verified && receipt.result.status !== 'holding') await keepReceipt(terms.order, receipt);
      if (!found.verified && receipt.result.status !== 'holding') {
        const { reportContradictions } = await import('../evidence/report-contradictions.ts');
        const ticks = Object.values(receipt.ticks).filter((text) => text !== null);
        // The verdict must be shown even if the memory can't be read.
        await reportContradictions([receipt.terms, ...ticks, ...(memory.publicTicks ?? [])]).catch(() => undefined);
      }
      return { ...found, newKeys: terms ? newKeysOf(receipt, terms, known) : {} };
    },
  });
  return {
    verdict: verdict.data,
    error: error ?? verdict.error,
    retry: () => (error ? refetch() : verdict.refetch()),
  };
}
