import type { Draw } from '@sathorn/api';
import { useQuery } from '@tanstack/react-query';
import { readKeptBoxHash, readKeptDraw } from '../parts/evidence/kept-draws.ts';
import { useProofKeys } from '../parts/receipt/use-proof-keys.ts';
import { drawReceiptOf } from './draw-receipt.ts';

/** Verifies a resolved draw on this device, also against what the device stored at the reservation. */
export function useDrawVerdict(draw: Draw | undefined) {
  const isResolved = draw?.state === 'resolved';
  const { keys, error, refetch } = useProofKeys({ enabled: isResolved });
  const verdict = useQuery({
    queryKey: ['draw-verdict', draw?.id, draw?.state, keys],
    enabled: isResolved && keys !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const receipt = draw && drawReceiptOf(draw);
      if (!receipt || !keys) throw new Error('nothing to verify');
      const { verifyDraw } = await import('@sathorn/proof');
      const [own, boxHash] = [readKeptDraw(receipt ? draw.id : ''), readKeptBoxHash(draw.box.id)];
      const found = await verifyDraw(receipt, keys, {
        kept: {
          ...(own && { reservation: own.reservation, clientSeed: own.clientSeed }),
          ...(boxHash !== undefined && { boxHash }),
        },
      });
      if (!found.verified) {
        const { reportContradictions } = await import('../parts/evidence/report-contradictions.ts');
        await reportContradictions([receipt.box, receipt.reservation]).catch(() => undefined);
      }
      return found;
    },
  });
  return {
    verdict: verdict.data,
    error: error ?? verdict.error,
    retry: () => void (error ? refetch() : verdict.refetch()),
  };
}
