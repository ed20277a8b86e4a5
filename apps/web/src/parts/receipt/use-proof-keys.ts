import { readProofKeys } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { serverNowMs } from '@sathorn/app/stream';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readFirstKeyIds } from '../evidence/first-key-ids.ts';
import { type KnownKeys, keepKnownKeys } from './known-keys.ts';

/**
 * Returns the published keys and when this device first saw each. The keys also load where customers buy options, so
 * that the device notices a key that it did not know before the key signed an order.
 */
export function useProofKeys({ enabled = true }: { enabled?: boolean } = {}) {
  const query = useRead(readProofKeys, {}, { enabled, freshForMs: 60_000 });
  const keys = query.data?.keys;
  const known = useMemo<KnownKeys>(
    () =>
      keys
        ? keepKnownKeys(
            keys.map(({ id }) => id),
            serverNowMs(),
          )
        : {},
    [keys],
  );
  const judged = useQuery({
    queryKey: ['trusted-keys', keys],
    enabled: keys !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const firstIds = readFirstKeyIds();
      const [{ judgePublishedKeys }, { reportFindings }] = await Promise.all([
        import('../evidence/pinned-keys.ts'),
        import('../evidence/evidence-findings.ts'),
      ]);
      const found = await judgePublishedKeys(keys ?? [], firstIds);
      const foundAt = Date.now();
      await reportFindings([
        ...found.refused.map(({ key }) => ({ kind: 'key_refused', id: key.id, foundAt }) as const),
        ...found.withdrawn.map(({ id }) => ({ kind: 'key_withdrawn', id, foundAt }) as const),
      ]);
      return found;
    },
  });
  return {
    /** The keys that this device trusts. */
    keys: judged.data?.trusted,
    /** All published keys with their verdicts. */
    published: keys,
    refused: judged.data?.refused,
    known,
    error: query.error,
    refetch: query.refetch,
  };
}
