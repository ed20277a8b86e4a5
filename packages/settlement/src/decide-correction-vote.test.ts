import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { type AskedCorrectionVote, decideCorrectionVote } from './decide-correction-vote.ts';

const lost = { isLost: true, isOwn: false, isTaken: false };
const asked: AskedCorrectionVote = {
  step: 'proposed',
  isStale: false,
  pays: { amount: money('USDT', 5n), available: money('USDT', 5n) },
  isUndone: false,
  lost,
  isWorth: true,
};

describe('the second vote on a correction', () => {
  it('is accepted down to the last unit of the paying account', () =>
    expect(decideCorrectionVote(asked).ok).toBe(true));
  it('needs no balance of the house for a debit', () =>
    expect(decideCorrectionVote({ ...asked, pays: null, lost: null }).ok).toBe(true));
  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const spoiled: AskedCorrectionVote[] = [];
  it.each<[string, Partial<AskedCorrectionVote>]>([
    ['kept_nothing_due', { isWorth: false }],
    ['already_corrected', { lost: { ...lost, isTaken: true } }],
    ['conflict_of_interest', { lost: { isLost: true, isOwn: true, isTaken: true } }],
    ['deposit_not_lost', { lost: { isLost: false, isOwn: true, isTaken: true } }],
    ['already_corrected', { isUndone: true }],
    ['account_short', { pays: { amount: money('USDT', 5n), available: money('USDT', 4n) } }],
    ['version_stale', { isStale: true }],
    ['correction_decided', { step: 'rejected' }],
  ])('is refused as %s before any later reason', (refusal, change) => {
    spoiled.push({ ...(spoiled.at(-1) ?? asked), ...change });
    expect(decideCorrectionVote({ ...asked, ...change })).toMatchObject({ ok: false, refusal });
    expect(decideCorrectionVote(spoiled.at(-1) ?? asked)).toMatchObject({ ok: false, refusal });
  });
});
