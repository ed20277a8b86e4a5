import { WITHDRAWAL_SETTINGS } from './withdrawal-settings.ts';

/** Until when a change of credentials at this time delays money that leaves; null if it doesn't any more. */
export function heldUntil(changedAt: Date | null, now: Date): Date | null {
  const until = changedAt && new Date(changedAt.getTime() + WITHDRAWAL_SETTINGS.delayMs);
  return until && until > now ? until : null;
}
