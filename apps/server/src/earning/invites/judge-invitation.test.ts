import { expect, it } from 'vitest';
import { judgeInvitation, REWARDED_INVITES_PER_DAY } from './judge-invitation.ts';

const good = { isAllowed: true, sharesDevice: false, sharesPayee: false, rewardedToday: 0 };

it.each([
  [good, 'rewarded'],
  [{ ...good, rewardedToday: REWARDED_INVITES_PER_DAY - 1 }, 'rewarded'],
  [{ ...good, rewardedToday: REWARDED_INVITES_PER_DAY }, 'day_full'],
  [{ ...good, isAllowed: false }, 'not_allowed'],
  [{ ...good, sharesDevice: true }, 'same_device'],
  [{ ...good, sharesPayee: true, rewardedToday: REWARDED_INVITES_PER_DAY }, 'same_payee'],
])('judges %o as %s', (invitation, finding) => {
  expect(judgeInvitation(invitation)).toBe(finding);
});
