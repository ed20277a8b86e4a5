import type { QueryClient } from '@tanstack/react-query';
import { CallFault } from './answer.ts';

/** Reads that are on the screen and did not get through, once more. What the server refused is not asked again. */
export function retryFailedReads(queries: QueryClient): Promise<void> {
  return queries.refetchQueries(
    {
      type: 'active',
      predicate: ({ state: { status, error } }) =>
        status === 'error' && !(error instanceof CallFault && error.failure.isAnswered),
    },
    // Two signs of the same return are one retry.
    { cancelRefetch: false },
  );
}
