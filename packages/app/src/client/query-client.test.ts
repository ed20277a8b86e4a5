import { QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { queryClient } from './query-client.ts';

it('reads again once if something changes while the first answer is under way', async () => {
  const answers: ((rows: number) => void)[] = [];
  const read = vi.fn(() => new Promise<number>((resolve) => answers.push(resolve)));
  const observer = new QueryObserver(queryClient, { queryKey: ['orders'], queryFn: read });
  const stop = observer.subscribe(() => undefined);

  void queryClient.invalidateQueries({ queryKey: ['orders'] });
  void queryClient.invalidateQueries({ queryKey: ['orders'] });
  expect(read).toHaveBeenCalledTimes(1);
  answers[0]?.(0);
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  answers[1]?.(1);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(1));

  expect(read).toHaveBeenCalledTimes(2);
  stop();
  queryClient.clear();
});
