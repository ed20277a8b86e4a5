import { expect, it } from 'vitest';
import { decideReopening } from './decide-reopening.ts';

it.each<[what: string, seen: bigint | null, isBeingSent: boolean, outcome: string]>([
  ['in another block with the same amount', 700n, false, 'as_decided'],
  ['unchanged and being sent back', 700n, true, 'as_decided'],
  ['in no block any more', null, false, 'block_left'],
  ['of less', 699n, false, 'other_amount'],
  ['of more', 701n, false, 'other_amount'],
  ['of nothing', 0n, false, 'other_amount'],
  ['in no block, with a return that is signed', null, true, 'being_sent'],
  ['of another amount, with a return that is signed', 1n, true, 'being_sent'],
])('a decision about a transfer that is now %s: %s', (_what, seen, isBeingSent, outcome) => {
  const decision = decideReopening({ decided: 700n, seen, isBeingSent });
  expect(decision.ok ? decision.effect : decision.refusal).toBe(outcome);
});
