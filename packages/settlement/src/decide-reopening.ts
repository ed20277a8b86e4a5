import { accept, type Decision, refuse } from './decision.ts';

/** A kept transfer that people have decided on, and what the chain shows of it when it has been read to its head. */
export interface DecidedTransfer {
  /** Units that the decision names, in the token's smallest units. */
  readonly decided: bigint;
  /** Units that the transfer pays now; null while no block has it. */
  readonly seen: bigint | null;
  /** Its return is signed, so it may reach a block at any moment. */
  readonly isBeingSent: boolean;
}
export const REOPENINGS = ['block_left', 'other_amount'] as const;
export type Reopening = (typeof REOPENINGS)[number];

/**
 * Decides whether a decision about a kept transfer has become stale, and why: the people who agreed looked at
 * something that the chain no longer shows. A transfer that only moved to another block is still what they saw.
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
