import type { OrderedThing, SignedOrder } from '@sathorn/api';
import { writeOrdered } from '@sathorn/proof';
import { expect, it, test } from 'vitest';
import { isFromHere, judgeOrders } from './judge-orders.ts';

const OWN = 'ab'.repeat(16);
const OTHER = 'cd'.repeat(16);
const SINCE = '2026-11-25T08:00:00.000Z';
const LATER = '2026-11-25T09:00:00.000Z';

const signedBy = (key: string, intent: string): SignedOrder => ({
  key,
  public_key: '',
  body: writeOrdered({ key, call: 'POST /coin/order/add', intent, fields: {}, atMs: 1 }),
  // The door of these tests takes it for genuine.
  signature: 'genuine',
});
const thing = (over: Partial<OrderedThing>): OrderedThing => ({
  about: 'option',
  id: 'o-1',
  at: LATER,
  signed: null,
  by_key: null,
  ...over,
});
const door = { isOwn: async ({ signature }: SignedOrder) => signature === 'genuine', nowMs: () => 7 };
const judge = (shown: readonly OrderedThing[], kept: Record<string, string | null> = {}) =>
  judgeOrders(shown, { id: OWN, since: SINCE }, kept, door);

test.each<[string, Partial<OrderedThing>, Record<string, string | null>, string | null]>([
  ['signed here and kept', { signed: signedBy(OWN, 'intent-1') }, { 'intent-1': 'o-1' }, null],
  ['signed here, before its answer was kept', { signed: signedBy(OWN, 'intent-1') }, { 'intent-1': null }, null],
  ['signed here long ago', { signed: signedBy(OWN, 'intent-1') }, {}, null],
  ['signed by another device', { signed: signedBy(OTHER, 'intent-1') }, {}, null],
  ['unsigned, from before this device signed', { at: '2026-11-25T07:59:59.999Z' }, {}, null],
  ['unsigned', {}, {}, 'unsigned'],
  ['by an API key', { by_key: { id: 'k', name: 'bot' } }, {}, null],
  [
    'a withdrawal that is said to be by an API key',
    { about: 'withdrawal', by_key: { id: 'k', name: 'bot' } },
    {},
    'unsigned',
  ],
  ['an unsigned withdrawal', { about: 'withdrawal', id: 'w-1' }, {}, 'unsigned'],
  ['with the signature of another order', { signed: signedBy(OWN, 'intent-1') }, { 'intent-1': 'o-2' }, 'foreign'],
  ['with an invented signature', { signed: { ...signedBy(OWN, 'intent-1'), signature: '00' } }, {}, 'foreign'],
  [
    'with an invented signature for what was kept',
    { signed: { ...signedBy(OWN, 'intent-1'), signature: '00' } },
    { 'intent-1': 'o-1' },
    'foreign',
  ],
  ['with a text that is none', { signed: { ...signedBy(OWN, 'intent-1'), body: '{}' } }, {}, 'foreign'],
])('an order that is %s', async (_what, over, kept, fault) => {
  const findings = await judge([thing(over)], kept);
  expect(findings.map((finding) => finding.fault)).toEqual(fault === null ? [] : [fault]);
});

it('tells of unsigned trades once, and of each withdrawal, payee and invented signature', async () => {
  const findings = await judge([
    thing({ id: 'o-1' }),
    thing({ id: 'o-2', about: 'order' }),
    thing({ id: 'w-1', about: 'withdrawal' }),
    thing({ id: 'w-2', about: 'withdrawal' }),
    thing({ id: 'p-1', about: 'payee' }),
    thing({ id: 'o-4', signed: { ...signedBy(OWN, 'intent-1'), signature: '00' } }),
  ]);
  expect(findings.map(({ id }) => id)).toEqual([
    `unsigned ${OWN}`,
    'withdrawal w-1',
    'withdrawal w-2',
    'payee p-1',
    'option o-4',
  ]);
  expect(findings[0]).toEqual({
    kind: 'ordered',
    id: `unsigned ${OWN}`,
    about: 'option',
    fault: 'unsigned',
    at: LATER,
    foundAt: 7,
  });
});

it('takes a signature for the record that was answered, and for no other', async () => {
  const signed = signedBy(OWN, 'intent-1');
  expect(await isFromHere('o-1', signed, { 'intent-1': 'o-1' }, door.isOwn)).toBe(true);
  expect(await isFromHere('o-2', signed, { 'intent-1': 'o-1' }, door.isOwn)).toBe(false);
});
