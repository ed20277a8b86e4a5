import { expect, it } from 'vitest';
import { VoidWatch } from './void-watch.ts';

it('reports at most once an hour that a customer has five void options within an hour', () => {
  const said: [bigint, number][] = [];
  const watch = new VoidWatch((customer, voids) => said.push([customer, voids]));
  for (let minute = 0; minute < 4; minute += 1) watch.add(7n, minute * 60_000);
  watch.add(8n, 0);
  expect(said).toEqual([]);
  watch.add(7n, 59 * 60_000);
  expect(said).toEqual([[7n, 5]]);
  watch.add(7n, 59 * 60_000 + 1);
  expect(said).toHaveLength(1);
  watch.sweep(3 * 3_600_000);
  for (let second = 0; second < 5; second += 1) watch.add(7n, 3 * 3_600_000 + second * 1_000);
  expect(said.at(-1)).toEqual([7n, 5]);
});

it('does not add up orders that lie more than an hour apart', () => {
  const said: bigint[] = [];
  const watch = new VoidWatch((customer) => said.push(customer));
  for (let hour = 0; hour < 10; hour += 1) for (let n = 0; n < 4; n += 1) watch.add(7n, hour * 3_600_000 + n);
  expect(said).toEqual([]);
});
