import { challengeOfVote, parseCanonical } from '@sathorn/proof';

export { hasDeviceKey, signWithDevice } from './device-key.ts';

/** The content on the screen. */
interface ShownVote {
  readonly op: string;
  /** The approval, or the subject of an act. */
  readonly id: string;
  readonly fingerprint: string;
  readonly operator: string;
}
/** The confirmation's id, and the challenge for a passkey if there is one. */
interface Asked {
  readonly step_up: string;
  readonly options: string | null;
}

/**
 * True if the text that the server wants signed is the content on the screen, and the passkey's challenge is that text.
 * Otherwise a compromised server could get something else signed.
 */
export function isSameVote(vote: string, { step_up: stepUp, options }: Asked, shown: ShownVote): boolean {
  const said = parseCanonical(vote) as Readonly<Record<string, unknown>> | undefined;
  const isVote = said?.v === 'vote/1' && `approval.${String(said.decision)}` === shown.op && said.approval === shown.id;
  const isAct = said?.v === 'act/1' && said.act === shown.op && said.subject === shown.id && said.step_up === stepUp;
  const isSame = (isVote || isAct) && said.fingerprint === shown.fingerprint && said.operator === shown.operator;
  if (!isSame || options === null) return isSame;
  return (JSON.parse(options) as { challenge?: unknown }).challenge === challengeOfVote(vote);
}
