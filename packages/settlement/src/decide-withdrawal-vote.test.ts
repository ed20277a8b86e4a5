import { describe, expect, it } from 'vitest';
import type { VotedWithdrawal } from './decide-withdrawal.ts';
import { type AskedWithdrawalVote, decideWithdrawalVote, effectOfWithdrawalVote } from './decide-withdrawal-vote.ts';

const asked: AskedWithdrawalVote = {
  what: 'withdrawal',
  decision: 'approve',
  step: 'first_check',
  isStale: false,
  delayedUntil: null,
};
const until = new Date('2036-12-01T05:00:00Z');

describe('a vote on a withdrawal', () => {
  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const spoiled: AskedWithdrawalVote[] = [];
  it.each<[string, Partial<AskedWithdrawalVote>]>([
    ['approval_unknown', { what: null }],
    ['withdrawal_delayed', { step: 'delayed', delayedUntil: until }],
    ['version_stale', { isStale: true }],
    ['withdrawal_decided', { step: 'approved' }],
  ])('is refused as %s before any later reason', (refusal, change) => {
    spoiled.push({ ...(spoiled.at(-1) ?? asked), ...change });
    expect(decideWithdrawalVote({ ...asked, ...change })).toMatchObject({ ok: false, refusal });
    expect(decideWithdrawalVote(spoiled.at(-1) ?? asked)).toMatchObject({ ok: false, refusal });
  });
  it('reports until when it must wait', () =>
    expect(decideWithdrawalVote({ ...asked, step: 'delayed', delayedUntil: until })).toMatchObject({
      params: { until: until.toISOString() },
    }));
  it('may reject a waiting withdrawal, and one that needs no approval', () => {
    expect(decideWithdrawalVote({ ...asked, decision: 'reject', step: 'delayed', delayedUntil: until }).ok).toBe(true);
    expect(decideWithdrawalVote({ ...asked, decision: 'reject', what: null }).ok).toBe(true);
  });
  it.each<[VotedWithdrawal, string[]]>([
    ['withdrawal', ['delayed', 'first_check', 'second_check']],
    ['payout_release', ['approved']],
    ['payout_return', ['approved']],
    ['withdrawal_paid', ['sending', 'sent_unknown']],
    ['withdrawal_failed', ['sending', 'sent_unknown']],
    ['withdrawal_lost', ['sending', 'sent_unknown']],
  ])('about %s needs its step', (what, steps) => {
    const all = ['delayed', 'first_check', 'second_check', 'approved', 'sending', 'sent_unknown', 'confirming', 'done'];
    expect(all.filter((step) => decideWithdrawalVote({ ...asked, what, decision: 'reject', step }).ok)).toEqual(steps);
  });
});

describe('the effect of a vote', () => {
  const none = [null, null];
  it.each<[VotedWithdrawal | null, (string | null)[], (string | null)[], (string | null)[]]>([
    // The last approval, one of two, and a rejection.
    [null, ['approved', 'post'], ['second_check', null], ['returned', 'void']],
    ['withdrawal', ['approved', 'post'], ['second_check', null], ['returned', 'void']],
    ['payout_release', none, none, ['returned', 'give_back']],
    ['payout_return', ['returned', 'give_back'], none, none],
    ['withdrawal_paid', ['done', 'paid_by_bank'], none, none],
    ['withdrawal_failed', ['returned', 'give_back'], none, none],
    ['withdrawal_lost', none, none, none],
  ])('about %s', (what, last, first, rejection) => {
    const [to, money] = last;
    expect(effectOfWithdrawalVote(what, 'approve', true)).toEqual({ to, money });
    expect(effectOfWithdrawalVote(what, 'approve', false)).toEqual({ to: first[0], money: first[1] });
    for (const isDecided of [true, false])
      expect(effectOfWithdrawalVote(what, 'reject', isDecided)).toEqual({ to: rejection[0], money: rejection[1] });
  });
});
