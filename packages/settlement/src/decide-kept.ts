import { type Money, subtract } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

/** A purchase whose signed text a customer's device kept over a restoration. */
export interface KeptReceipt {
  readonly stake: Money<'USDT'>;
  /** What the outcome by the receipt's own ticks credits, the stake included; null for terms without a receipt. */
  readonly credited: Money<'USDT'> | null;
}
/** The same purchase in the restored books; null if they lack it. */
export type BookedPurchase = { readonly credited: Money<'USDT'> | null } | null;
export type KeptRefusal = 'kept_terms_only' | 'kept_still_open' | 'kept_nothing_due';

/**
 * Settles what a kept receipt is worth: what it credits, minus what the restored balance has of that purchase already.
 *
 * Books that lack the purchase never took its stake, so a win is worth its profit after the fee, and a loss nothing: no
 * stake is taken from the customer. Books that voided it gave the stake back, which is the same. Without a receipt
 * nobody knows how the purchase ended, so no rule pays it.
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
