import { expect, test } from 'vitest';
import { tickTimeOf } from './tick-time.ts';

const tick = (body: string) => ({ body, hash: '', signature: '', key: '' });

test.each([
  [tick('{"seq":"7","t":"1795917501000","v":"tick/1"}'), '2026-11-29T01:58:21.000Z'],
  [tick('{"seq":"7","v":"tick/1"}'), undefined],
  [tick('{"t":"soon"}'), undefined],
  [tick('{"t":1795917501000}'), undefined],
  [tick('no text of ours'), undefined],
  [tick('null'), undefined],
  [null, undefined],
  [undefined, undefined],
])('the time of %j is %s', (signed, time) => {
  expect(tickTimeOf(signed)).toBe(time);
});
