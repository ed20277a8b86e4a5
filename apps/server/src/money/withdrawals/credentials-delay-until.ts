import { WITHDRAWAL_SETTINGS } from './withdrawal-settings.ts';

/**
 * The time until which a change of credentials at `changedAt` delays withdrawals; null if the delay is over or there
 * was no change.
 */
export function credentialsDelayUntil(changedAt: Date | null, now: Date): Date | null {
  const until = changedAt && new Date(changedAt.getTime() + WITHDRAWAL_SETTINGS.delayMs);
  return until && until > now ? until : null;
}
