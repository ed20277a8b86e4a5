import type { Call } from '@sathorn/api';
import { queryClient } from './query-client.ts';
import { readKey } from './use-read.ts';

const wanted = new Set<unknown>();

/**
 * Reads calls anew because of something that the stream reported; lists of pages stay. Several parts of a page may hear
 * the same report: together they send each request once.
 */
export function readAnew(...calls: readonly Call[]): void {
  if (wanted.size === 0)
    queueMicrotask(() => {
      const names = new Set(wanted);
      wanted.clear();
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [name, ...rest] }) => names.has(name) && !rest.includes('pages'),
      });
    });
  for (const call of calls) wanted.add(readKey(call)[0]);
}
