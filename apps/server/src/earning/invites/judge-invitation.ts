import { money } from '@sathorn/money';
import type { InviteFinding } from './invite-store.ts';

export const POINTS_PER_INVITE = money('POINTS', 50n);
/** The most rewards per inviter and day; the database has the same number of slots per day. */
export const REWARDED_INVITES_PER_DAY = 10;

interface Invitation {
  /** True if the inviter may invite at this moment. */
  readonly isAllowed: boolean;
  readonly sharesDevice: boolean;
  readonly sharesPayee: boolean;
  readonly rewardedToday: number;
}

/**
 * Decides whether an inviter is rewarded for a certified person. One document certifies only one person, so each
 * rewarded account needs a new identity. Payments and losses of that person play no part.
 */
export function judgeInvitation({ isAllowed, sharesDevice, sharesPayee, rewardedToday }: Invitation): InviteFinding {
  if (!isAllowed) return 'not_allowed';
  if (sharesDevice) return 'same_device';
  if (sharesPayee) return 'same_payee';
  return rewardedToday >= REWARDED_INVITES_PER_DAY ? 'day_full' : 'rewarded';
}
