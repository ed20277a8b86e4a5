import { buyOption } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { expect, it } from 'vitest';
import { type Handler, handle } from '../platform/edge/index.ts';
import { type GatesDependencies, gated } from './gates.ts';

const bought = Promise.resolve(accept({} as never));
const buying = { ...handle(buyOption, () => bought) };
const CONTEXT = {
  request: { code: 'BTC' },
  customer: { id: 1n, sessionId: 's' },
  language: 'en',
  now: new Date(0),
  intent: { id: 'i', digest: 'd' },
};
const gate = (reason: string | null, isConsented: boolean, isLater: boolean, isRepeated = false): Handler => {
  const said = <Value>(value: Value): Value => (isLater ? (Promise.resolve(value) as Value) : value);
  const { handlers } = gated({ api: null, handlers: [buying] }, {
    pauses: { reasonOf: () => said(reason) },
    consents: { mayOrder: () => said(isConsented) },
    isOffered: () => true,
    coverOf: () => ({}),
    isPosted: async () => isRepeated,
  } as unknown as GatesDependencies);
  return handlers[0] as Handler;
};

it('passes a call on without a promise of its own when all answers are in memory', () => {
  expect(gate(null, true, false).run(CONTEXT as never)).toBe(bought);
});

it.each([false, true])('refuses the same whether answers are in memory or read (%s)', async (isLater) => {
  const answer = (...given: [string | null, boolean, boolean?]) =>
    gate(given[0], given[1], isLater, given[2]).run(CONTEXT as never);
  expect(await answer(null, true)).toMatchObject({ ok: true });
  expect(await answer('repairs', true)).toMatchObject({ ok: false, refusal: 'paused', params: { text: 'repairs' } });
  expect(await answer('repairs', false)).toMatchObject({ ok: false, refusal: 'paused' });
  expect(await answer(null, false)).toMatchObject({ ok: false, refusal: 'consent_required' });
  // Its money moved before.
  expect(await answer('repairs', false, true)).toMatchObject({ ok: true });
});
