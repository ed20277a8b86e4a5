import { accept, type Decision, refuse } from './decision.ts';

/** A kept transfer about which people have decided, and its state on the chain after it was read to its head. */
interface DecidedTransfer {
  /** The units that the decision names, in the token's smallest units. */
  readonly decided: bigint;
  /** The units that the transfer pays now; null while no block contains it. */
  readonly seen: bigint | null;
  /** The transfer's return is signed and may reach a block at any moment. */
  readonly isBeingSent: boolean;
}
const REOPENINGS = ['block_left', 'other_amount'] as const;
type Reopening = (typeof REOPENINGS)[number];

/**
 * Decides whether a decision about a kept transfer has become stale, and why: the chain no longer shows what people
 * agreed on. A transfer that only moved to another block is still the same.
 */
export function decideReopening({
  decided,
  seen,
  isBeingSent,
}: DecidedTransfer): Decision<Reopening, 'as_decided' | 'being_sent'> {
  if (seen === decided) return refuse('as_decided');
  if (isBeingSent) return refuse('being_sent');
  return accept(seen === null ? 'block_left' : 'other_amount');
}
