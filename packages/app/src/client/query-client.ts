import { type InvalidateQueryFilters, type Query, QueryClient } from '@tanstack/react-query';
import { CallFault } from './answer.ts';

/**
 * Reads again if something changed while the first answer was under way. The library would keep that answer, which may
 * be older than the change.
 */
class Reads extends QueryClient {
  private readonly followed = new WeakSet<Query>();

  override invalidateQueries(...[filters = {}, options]: Parameters<QueryClient['invalidateQueries']>): Promise<void> {
    const { refetchType: _, ...chosen } = filters as InvalidateQueryFilters;
    for (const query of this.getQueryCache().findAll({ ...chosen, fetchStatus: 'fetching' }))
      if (query.state.data === undefined) void this.follow(query);
    return super.invalidateQueries(filters, options);
  }

  private async follow(query: Query): Promise<void> {
    if (this.followed.has(query)) return;
    this.followed.add(query);
    await query.promise?.catch(() => undefined);
    this.followed.delete(query);
    await this.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

/** Reads that did not reach the server are retried twice; the server's decisions are not. */
export const queryClient = new Reads({
  defaultOptions: {
    queries: {
      retry: (count, fault) => count < 2 && !(fault instanceof CallFault && fault.failure.isAnswered),
      retryDelay: (count) => 800 * 2 ** count,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
  },
});
