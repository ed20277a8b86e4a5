import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

it('runs a few at once, starts the others in order, and counts those that wait', async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const work = [0, 1, 2, 3, 4].map((n) =>
    semaphore.run(async () => {
      started.push(n);
      await new Promise<void>((resolve) => finish.push(resolve));
      if (n === 1) throw new Error('one fails');
      return n;
    }),
  );
  expect([started, semaphore.waiting]).toEqual([[0, 1], 3]);
  const settled = Promise.allSettled(work);
  for (let n = 0; n < 5; n += 1) {
    finish.shift()?.();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect(await settled).toMatchObject([{ value: 0 }, { status: 'rejected' }, { value: 2 }, { value: 3 }, { value: 4 }]);
  expect([started, semaphore.waiting, semaphore.isIdle]).toEqual([[0, 1, 2, 3, 4], 0, true]);
});
