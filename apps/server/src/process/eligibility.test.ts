import {
  addAlert,
  addFromDeposits,
  addRecurring,
  addRenewal,
  askPractice,
  buyOption,
  CALLS,
  type Call,
  drawBox,
  fundDemo,
  sendTestDeposit,
  submitDeposit,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { expect, it } from 'vitest';
import { type Handler, handle } from '../platform/edge/index.ts';
import { BEGINNING_RULES, type BeginningsDependencies, guardBeginnings } from './eligibility.ts';

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
  const { handlers } = guardBeginnings({ api: null, handlers: [buying] }, {
    pauses: { reasonOf: () => said(reason) },
    consents: { mayOrder: () => said(isConsented) },
    isOffered: () => true,
    coverOf: () => ({}),
    isPosted: async () => isRepeated,
  } as unknown as BeginningsDependencies);
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
  // The intent was posted before, so its first answer is repeated.
  expect(await answer('repairs', false, true)).toMatchObject({ ok: true });
});

/** Fields that satisfy every row. */
const REQUEST = { code: 'BTC', side: 'buy', type: 'regular', channel: 'bank' };
const reasonsOf = (call: Call) => BEGINNING_RULES.get(call)?.(REQUEST as never);

it('has a row for every call that moves money', () => {
  const without = Object.values(CALLS).filter((call) => call.movesMoney && !BEGINNING_RULES.has(call));
  expect(without.map(({ path }) => path)).toEqual([]);
});

it('refuses only what the call declares', () => {
  for (const call of BEGINNING_RULES.keys()) {
    const { pauses = [], consent, buys, hasBreaks } = reasonsOf(call) ?? {};
    const needed = [
      ...(pauses.length > 0 ? ['paused'] : []),
      ...(hasBreaks ? ['self_excluded', 'time_out'] : []),
      ...(buys === undefined ? [] : ['coin_not_counted', 'coin_not_covered']),
      ...(consent === undefined ? [] : ['consent_required']),
    ];
    expect([call.path, needed.filter((refusal) => !call.refusals.includes(refusal as never))]).toEqual([call.path, []]);
  }
});

it('during a break stops what begins outside the ledger, and nothing that exists already', async () => {
  const stopped = [...BEGINNING_RULES.keys()].filter((call) => reasonsOf(call)?.hasBreaks);
  expect(new Set(stopped)).toEqual(
    new Set([
      addRecurring,
      addRenewal,
      addFromDeposits,
      submitDeposit,
      drawBox,
      addAlert,
      askPractice,
      fundDemo,
      sendTestDeposit,
    ]),
  );
  const run = (call: Call, request: object, isRepeated = false) => {
    const handler = { call, run: async () => accept('begun') };
    const [asked] = guardBeginnings({ api: null, handlers: [handler as never] }, {
      pauses: { reasonOf: () => null },
      coverOf: () => null,
      isOffered: () => false,
      breakOf: async () => refuse('time_out', { params: { until: 'tomorrow' } }),
      isPosted: async () => isRepeated,
    } as unknown as BeginningsDependencies).handlers;
    return asked?.run({ ...CONTEXT, request } as never);
  };
  for (const call of stopped) {
    expect(await run(call, REQUEST)).toMatchObject({ refusal: 'time_out', params: { until: 'tomorrow' } });
    expect(await run(call, REQUEST, true)).toMatchObject({ ok: true });
  }
  // Money that was already sent is credited.
  expect(await run(submitDeposit, { channel: 'usdt', hash: '0x' })).toMatchObject({ ok: true });
  expect(await run(submitDeposit, { channel: 'bank', id: '1', slip: 's' })).toMatchObject({ ok: true });
});
