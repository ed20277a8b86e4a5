import { challengeOfVote, parseCanonical } from '@sathorn/proof';

/** What is on the screen. */
export interface ShownVote {
  readonly op: string;
  /** The approval. */
  readonly id: string;
  readonly fingerprint: string;
  readonly operator: string;
}

/**
 * Whether the text that the server wants signed is the decision on the screen, and the passkey's challenge is that
 * text. A server that has been broken into could otherwise have something else signed.
 */
export function isSameVote(vote: string, options: string | null, shown: ShownVote): boolean {
  const said = parseCanonical(vote) as Readonly<Record<string, unknown>> | undefined;
  const isSame =
    said?.v === 'vote/1' &&
    `approval.${String(said.decision)}` === shown.op &&
    said.approval === shown.id &&
    said.fingerprint === shown.fingerprint &&
    said.operator === shown.operator;
  if (!isSame || options === null) return isSame;
  return (JSON.parse(options) as { challenge?: unknown }).challenge === challengeOfVote(vote);
}
