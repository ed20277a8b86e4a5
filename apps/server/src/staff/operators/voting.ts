import { faultOfProof, readVoter, type VoteDecision, writeAct, writeVote } from '@sathorn/proof';
import type { Queries } from '../../platform/database/index.ts';
import {
  type BallotRow,
  readBallot,
  readRegistrationBallots,
  readVoterRow,
  readVotersOf,
  rolesOfAct,
  type VoterRow,
} from '../votes/index.ts';

/** True if the server accepts votes of this key: pinned by the owner, or registered by two administrators. */
export const isTrustedVoter = ({ ended_at, removed_at, pinned_roles, is_registered }: VoterRow): boolean =>
  ended_at === null && removed_at === null && (pinned_roles !== null || is_registered);

/** The keys with which this operator may vote now. */
export const readTrustedKeys = async (queries: Queries, operator: bigint): Promise<VoterRow[]> =>
  (await readVotersOf(queries, operator)).filter(isTrustedVoter);

const ACT = /^approval\.(approve|reject)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True if a person must sign this: a vote, or an act that people sign. */
export const isSignatureRequired = (act: string): boolean => ACT.test(act) || rolesOfAct(act) !== undefined;

/** The text to sign for this confirmation; null if nothing is signed, or if the content has changed. */
export async function signedTextOf(
  queries: Queries,
  operator: bigint,
  of: {
    readonly stepUp: string;
    readonly act: string;
    readonly subject: string;
    readonly fingerprint: string;
  },
): Promise<string | null> {
  const { act, subject, fingerprint } = of;
  if (rolesOfAct(act) !== undefined) return writeAct(of, String(operator));
  const decision = ACT.exec(act)?.[1] as VoteDecision | undefined;
  if (decision === undefined || !UUID.test(subject)) return null;
  const ballot = await readBallot(queries, subject);
  return ballot?.fingerprint === fingerprint ? writeVote(ballot, String(operator), decision) : null;
}

/**
 * The roles for which a key counts: those of its newest registration, or those with which the owner pinned it. A role
 * that its owner got since counts only after another registration.
 */
async function rolesOfKey(queries: Queries, { id, pinned_roles }: VoterRow): Promise<readonly string[]> {
  const newest = (await readRegistrationBallots(queries)).findLast(({ subject }) => subject === id);
  return (newest && readVoter(newest.content)?.roles) ?? pinned_roles ?? [];
}

/** True if a trusted key of this operator signed exactly this text, and counts for one of these roles. */
export async function isSignedBy(
  queries: Queries,
  operator: bigint,
  text: string,
  { key, proof }: { readonly key: string | null; readonly proof: string | null },
  roles?: readonly string[],
): Promise<boolean> {
  if (key === null || proof === null) return false;
  const voter = await readVoterRow(queries, key);
  if (voter?.operator !== operator || !isTrustedVoter(voter)) return false;
  if (roles !== undefined && !(await rolesOfKey(queries, voter)).some((role) => roles.includes(role))) return false;
  return (await faultOfProof(proof, text, voterRegistrationOf(voter))) === null;
}

/** The same for what was signed before. A key that has ended since was this operator's when it signed. */
export async function wasSignedBy(
  queries: Queries,
  operator: bigint,
  text: string,
  { key, proof }: { readonly key: string | null; readonly proof: string | null },
  roles: readonly string[],
): Promise<boolean> {
  const voter = key === null ? null : await readVoterRow(queries, key);
  if (proof === null || voter?.operator !== operator || !(voter.pinned_roles !== null || voter.is_registered))
    return false;
  if (!(await rolesOfKey(queries, voter)).some((role) => roles.includes(role))) return false;
  return (await faultOfProof(proof, text, voterRegistrationOf(voter))) === null;
}

/** Whether the maker's own key signed the proposal. True where nobody claims it: then the maker does not count. */
export async function isProposalSigned(
  queries: Queries,
  { kind, subject, fingerprint, made_by: maker, proposal }: BallotRow,
): Promise<boolean> {
  if (maker === null || proposal === null) return true;
  const { step_up: stepUp, key, proof } = proposal;
  if (stepUp === null || key === null || proof === null) return false;
  const text = writeAct({ act: `propose.${kind}`, subject, fingerprint, stepUp }, String(maker));
  const voter = await readVoterRow(queries, key);
  // A key that has ended since was the maker's when it signed.
  return voter?.operator === maker && (await faultOfProof(proof, text, voterRegistrationOf(voter))) === null;
}

/** The text that two administrators sign to register this key, with its owner's current roles. */
export const voterRegistrationOf = ({ public_key: key, kind, operator, party, roles }: VoterRow) => ({
  key,
  kind,
  operator: String(operator),
  party,
  roles,
});
