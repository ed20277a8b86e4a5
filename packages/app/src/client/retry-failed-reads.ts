import type { QueryClient } from '@tanstack/react-query';
import { CallFault } from './answer.ts';

/** Retries the visible reads that did not reach the server. Refused reads are not retried. */
export function retryFailedReads(queries: QueryClient): Promise<void> {
  return queries.refetchQueries(
    {
      type: 'active',
      predicate: ({ state: { status, error } }) =>
        status === 'error' && !(error instanceof CallFault && error.failure.isAnswered),
    },
    // Two events for the same reconnection cause one retry.
    { cancelRefetch: false },
  );
}
