import { readProofKeys } from '@sathorn/api';
import { useMemo } from 'react';
import { useRead } from '../../client/use-read.ts';
import { serverNow } from '../../stream/live.ts';
import { type KnownKeys, keepKeys } from './known-keys.ts';

/**
 * The published keys, and when this device first saw each. Also read where orders are bought, so that a key is known before
 * it signs an order, or is found out when it was not.
 */
export function useProofKeys({ enabled = true }: { enabled?: boolean } = {}) {
  const query = useRead(readProofKeys, {}, { enabled, freshForMs: 60_000 });
  const keys = query.data?.keys;
  const known = useMemo<KnownKeys>(
    () =>
      keys
        ? keepKeys(
            keys.map(({ id }) => id),
            serverNow(),
          )
        : {},
    [keys],
  );
  return { keys, known, error: query.error, refetch: query.refetch };
}
