import { expect, it } from 'vitest';
import {
  decideFactorReset,
  decideFactorResetRequest,
  FACTOR_RESET_MS,
  FACTOR_RESET_REST_MS,
  type FactorReset,
  type FactorResetRequest,
} from './decide-factor-reset.ts';

const ASKED = new Date('2026-11-01T00:00:00Z');
const at = (ms: number) => new Date(ASKED.getTime() + ms);
const READY: FactorReset = {
  state: 'waiting',
  askedAt: ASKED,
  approvedBy: ['1', '2'],
  factorUsedAt: null,
  isFrozen: false,
};

it.each<[string, Partial<FactorReset>, number, string | null]>([
  ['at the end of the seventh day', {}, FACTOR_RESET_MS, null],
  ['later', {}, 3 * FACTOR_RESET_MS, null],
  ['a millisecond too early', {}, FACTOR_RESET_MS - 1, 'reset_too_early'],
  ['before it was asked for, by a clock that was set back', {}, -1, 'reset_too_early'],
  ['with one approval', { approvedBy: ['1'] }, FACTOR_RESET_MS, 'reset_not_approved'],
  ['with two approvals by one person', { approvedBy: ['1', '1'] }, FACTOR_RESET_MS, 'reset_not_approved'],
  ['with none', { approvedBy: [] }, FACTOR_RESET_MS, 'reset_not_approved'],
  ['after the owner stopped it', { state: 'stopped' }, FACTOR_RESET_MS, 'reset_over'],
  ['after staff rejected it', { state: 'rejected' }, FACTOR_RESET_MS, 'reset_over'],
  ['a second time', { state: 'done' }, FACTOR_RESET_MS, 'reset_over'],
  ['after it lapsed', { state: 'lapsed' }, FACTOR_RESET_MS, 'reset_over'],
  ['while the factor was used since', { factorUsedAt: at(1) }, FACTOR_RESET_MS, 'factor_in_use'],
  ['while the factor was used in the same moment', { factorUsedAt: ASKED }, FACTOR_RESET_MS, 'factor_in_use'],
  ['with a factor last used before', { factorUsedAt: at(-1) }, FACTOR_RESET_MS, null],
  ['of a frozen account', { isFrozen: true }, FACTOR_RESET_MS, 'account_frozen'],
])('a reset %s', (_when, change, afterMs, refusal) => {
  const decision = decideFactorReset({ ...READY, ...change }, at(afterMs));
  expect(decision.ok ? null : decision.refusal).toBe(refusal);
});

it.each<[string, Partial<FactorResetRequest>, number, string | null]>([
  ['the first', {}, 0, null],
  ['without a second factor', { hasFactor: false }, 0, 'second_factor_off'],
  ['of a frozen account', { isFrozen: true, hasFactor: false }, 0, 'account_frozen'],
  ['right after a stop', { lastEndedAt: ASKED }, 1, 'reset_rests'],
  ['a millisecond before the rest ends', { lastEndedAt: ASKED }, FACTOR_RESET_REST_MS - 1, 'reset_rests'],
  ['after the rest', { lastEndedAt: ASKED }, FACTOR_RESET_REST_MS, null],
])('a request: %s', (_which, change, afterMs, refusal) => {
  const decision = decideFactorResetRequest(
    { hasFactor: true, isFrozen: false, lastEndedAt: null, ...change },
    at(afterMs),
  );
  expect(decision.ok ? null : decision.refusal).toBe(refusal);
});
