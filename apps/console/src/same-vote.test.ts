import { challengeOfVote, writeAct, writeVote } from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import { isSameVote } from './same-vote.ts';

const shown = { op: 'approval.approve', id: 'a1', fingerprint: 'ab'.repeat(32), operator: '7' };
const on = { id: 'a1', kind: 'withdrawal', subject: 'W-1', fingerprint: 'ab'.repeat(32) };
const vote = writeVote(on, '7', 'approve');
const asked = (options: string | null) => ({ step_up: 's1', options });
const options = (text: string) => asked(JSON.stringify({ challenge: challengeOfVote(text) }));

describe('the text that the server wants signed', () => {
  it('is the decision on the screen', () => {
    expect(isSameVote(vote, options(vote), shown)).toBe(true);
    expect(isSameVote(vote, asked(null), shown)).toBe(true);
  });

  it.each([
    ['the opposite', writeVote(on, '7', 'reject')],
    ['another approval', writeVote({ ...on, id: 'a2' }, '7', 'approve')],
    ['other content', writeVote({ ...on, fingerprint: 'cd'.repeat(32) }, '7', 'approve')],
    ['another person', writeVote(on, '8', 'approve')],
    ['another text', vote.replace('vote/1', 'voter/1')],
    ['no text', 'no'],
  ])('is refused where it is %s', (_what, text) => expect(isSameVote(text, asked(null), shown)).toBe(false));

  it('is an act on the screen, under this confirmation', () => {
    const act = { act: 'deposit.match', subject: 'a1', fingerprint: shown.fingerprint, stepUp: 's1' };
    const seen = { ...shown, op: 'deposit.match' };
    const text = writeAct(act, '7');
    expect(isSameVote(text, options(text), seen)).toBe(true);
    for (const change of [
      { act: 'balance.attest' },
      { subject: 'a2' },
      { fingerprint: 'cd'.repeat(32) },
      { stepUp: 's2' },
    ])
      expect(isSameVote(writeAct({ ...act, ...change }, '7'), asked(null), seen)).toBe(false);
    expect(isSameVote(writeAct(act, '8'), asked(null), seen)).toBe(false);
    expect(isSameVote(vote, asked(null), seen)).toBe(false);
  });

  it('is refused if the passkey’s challenge is for another text', () => {
    expect(isSameVote(vote, options(writeVote(on, '7', 'reject')), shown)).toBe(false);
    expect(isSameVote(vote, asked(JSON.stringify({ challenge: 'x' })), shown)).toBe(false);
  });
});
