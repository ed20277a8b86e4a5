import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { CallFault, failureOf } from './answer.ts';
import { retryFailedReads } from './retry-failed-reads.ts';

async function shownRead(queries: QueryClient, name: string, read: () => Promise<unknown>) {
  const observer = new QueryObserver(queries, { queryKey: [name], queryFn: read, retry: false, networkMode: 'always' });
  observer.subscribe(() => {});
  await vi.waitFor(() => expect(observer.getCurrentResult().fetchStatus).toBe('idle'), 10_000);
  return observer;
}

test('a failed read is repeated once for two signals; a refused or successful read is not repeated', async () => {
  const queries = new QueryClient();
  const lost = vi
    .fn()
    .mockRejectedValueOnce(new CallFault(failureOf('REQUEST_ERROR')))
    .mockResolvedValue('there');
  const refused = vi.fn().mockRejectedValue(new CallFault(failureOf('not_found', { isAnswered: true })));
  const good = vi.fn().mockResolvedValue('there');
  const observer = await shownRead(queries, 'lost', lost);
  await shownRead(queries, 'refused', refused);
  await shownRead(queries, 'good', good);
  expect(observer.getCurrentResult().status).toBe('error');

  await Promise.all([retryFailedReads(queries), retryFailedReads(queries)]);
  expect(observer.getCurrentResult().data).toBe('there');
  expect([lost, refused, good].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1]);
});
