import { type Money, subtract } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

/** A purchase whose signed text survived a restoration on a customer's device. */
export interface KeptReceipt {
  readonly stake: Money<'USDT'>;
  /** The credit that follows from the receipt's own ticks, including the stake; null for terms without a receipt. */
  readonly credited: Money<'USDT'> | null;
}
/** The same purchase in the restored books; null if they lack it. */
export type BookedPurchase = { readonly credited: Money<'USDT'> | null } | null;
export type KeptRefusal = 'kept_terms_only' | 'kept_still_open' | 'kept_nothing_due';

/**
 * Decides what a kept receipt is worth: its credit, minus what the restored balance already has from that purchase.
 *
 * Books that lack the purchase never took its stake, so a win is worth its profit after the fee, and a loss is worth
 * nothing: the customer pays no stake. Books that voided the purchase gave the stake back, with the same result.
 * Without a receipt nobody knows how the purchase ended, so no rule pays it.
 */
export function decideKept(
  { stake, credited }: KeptReceipt,
  booked: BookedPurchase,
): Decision<Money<'USDT'>, KeptRefusal> {
  if (credited === null) return refuse('kept_terms_only', { field: 'kept' });
  const had = booked === null ? stake : booked.credited;
  if (had === null) return refuse('kept_still_open', { field: 'kept' });
  const amount = subtract(credited, had);
  return amount.units > 0n ? accept(amount) : refuse('kept_nothing_due', { field: 'kept' });
}
