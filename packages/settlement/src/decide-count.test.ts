import { expect, it } from 'vitest';
import { type AddressCount, unseenArrivalOf } from './decide-count.ts';

const counted: AddressCount = { held: [30n, 30n], seen: 10n, isMoving: false, least: 20n };
it.each<[string, Partial<AddressCount>, bigint | null]>([
  ['to the unit', {}, 20n],
  ['all of it, where nothing was seen', { seen: 0n }, 30n],
  ['nothing while a transaction of ours is on its way', { isMoving: true }, null],
  ['nothing while nodes disagree', { held: [30n, 31n] }, null],
  ['nothing without a node', { held: [] }, null],
  ['nothing below the least', { seen: 11n }, null],
  ['nothing where all was seen', { seen: 30n, least: 0n }, null],
  ['nothing where more was seen than is there', { seen: 31n, least: 0n }, null],
])('what arrived unseen is %s', (_what, change, units) => {
  expect(unseenArrivalOf({ ...counted, ...change })).toBe(units);
});
