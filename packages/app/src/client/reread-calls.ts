import type { Call } from '@sathorn/api';
import { queryClient } from './query-client.ts';
import { readQueryKey } from './use-read.ts';

const wanted = new Set<unknown>();

/**
 * Reads these calls again because of a report by the stream, except for lists of pages. Several parts of a page may
 * receive the same report, so each request is sent only once.
 */
export function rereadCalls(...calls: readonly Call[]): void {
  if (wanted.size === 0)
    queueMicrotask(() => {
      const names = new Set(wanted);
      wanted.clear();
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [name, ...rest] }) => names.has(name) && !rest.includes('pages'),
      });
    });
  for (const call of calls) wanted.add(readQueryKey(call)[0]);
}
