import { approversOf, sha256, type TrustedVoter, toHex, trustVoters, utf8Bytes, verifyAct } from '@sathorn/proof';
import type { Queries } from '../../platform/database/index.ts';
import {
  type ActRow,
  type BallotRow,
  listVoters,
  readBallotsOf,
  readRegistrationBallots,
  signedVotesOf,
  type VoterRow,
} from './vote-store.ts';
import type { PinnedVoters } from './voters-file.ts';

/**
 * The roles that may decide, by the kind of approval. The database has such a list too, but the application writes it,
 * so readers of votes must not trust it.
 */
const ROLES_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  withdrawal: ['finance', 'compliance'],
  withdrawal_paid: ['finance', 'compliance'],
  withdrawal_failed: ['finance', 'compliance'],
  withdrawal_lost: ['finance', 'compliance'],
  payout_release: ['finance', 'compliance'],
  payout_return: ['finance', 'compliance'],
  payout_foreign: ['finance', 'compliance'],
  restoration_end: ['finance', 'compliance'],
  deposit_match: ['finance'],
  deposit_recovery: ['compliance'],
  factor_reset: ['compliance'],
  certification_refusal: ['compliance'],
  dispute_answer: ['compliance'],
  money_dispute_answer: ['compliance'],
  incident_close: ['compliance', 'finance', 'admin'],
  pause_end: ['compliance', 'finance', 'admin'],
  ready_answer: ['compliance', 'admin'],
  correction: ['finance', 'compliance', 'admin'],
  content: ['compliance', 'admin'],
  freeze_extend: ['compliance', 'admin'],
  freeze_lift: ['compliance', 'admin'],
  offer: ['finance', 'compliance', 'admin'],
  operator_invite: ['admin'],
  operator_role: ['admin'],
  operator_device: ['admin'],
  operator_unfreeze: ['admin'],
  voting_key: ['admin'],
};

/** Acts of one person that create or pay money, or raise a limit. Signed like votes, with one of these roles. */
export const SIGNED_ACTS: Readonly<Record<string, readonly string[]>> = {
  'deposit.match': ['finance'],
  'balance.attest': ['finance'],
  'bank_run.sign': ['finance', 'compliance'],
  'certification.approve': ['compliance'],
};

/**
 * Proposals whose makers count as one of the two people, and the roles that may make them. They are signed as acts are.
 * The database has the same kinds (`operators.votes_needed`).
 */
const PROPOSERS: Readonly<Record<string, readonly string[]>> = {
  'propose.certification_refusal': ['compliance'],
  'propose.content': ['content'],
  'propose.correction': ['finance'],
  'propose.deposit_recovery': ['finance'],
  'propose.dispute_answer': ['support'],
  'propose.freeze_extend': ['compliance'],
  'propose.freeze_lift': ['compliance'],
  'propose.incident_close': ['compliance', 'finance', 'admin'],
  'propose.money_dispute_answer': ['support'],
  'propose.offer': ['finance', 'admin'],
  'propose.operator_device': ['admin'],
  'propose.operator_invite': ['admin'],
  'propose.operator_role': ['admin'],
  'propose.operator_unfreeze': ['admin'],
  'propose.pause_end': ['compliance', 'finance', 'admin'],
  'propose.payout_foreign': ['finance', 'compliance'],
  'propose.payout_return': ['finance', 'compliance'],
  'propose.ready_answer': ['content'],
  'propose.restoration_end': ['finance', 'compliance'],
  'propose.withdrawal_failed': ['finance'],
  'propose.withdrawal_lost': ['finance'],
  'propose.withdrawal_paid': ['finance'],
};

/** The roles that may do this; undefined for what nobody signs as an act. */
export const rolesOfAct = (act: string): readonly string[] | undefined => SIGNED_ACTS[act] ?? PROPOSERS[act];

export const voterRolesFor = ({ kind, roles }: Pick<BallotRow, 'kind' | 'roles'>): readonly string[] =>
  ROLES_BY_KIND[kind] ?? roles;

/** The trusted keys, from the pinned ones and the database's rows. */
export function trustedVotersOf(
  { voters: pinned, isDemo }: PinnedVoters,
  rows: readonly Pick<VoterRow, 'id' | 'operator' | 'ended_at' | 'removed_at'>[],
  registrations: readonly BallotRow[],
): Promise<readonly TrustedVoter[]> {
  const timesOf = <Key>(
    keyOf: (row: (typeof rows)[number]) => Key,
    atOf: (row: (typeof rows)[number]) => Date | null,
  ): Map<Key, number> =>
    new Map(
      rows.flatMap((row) => {
        const at = atOf(row);
        return at === null ? [] : [[keyOf(row), at.getTime()] as const];
      }),
    );
  const ends = {
    keys: timesOf(
      ({ id }) => id,
      ({ ended_at }) => ended_at,
    ),
    operators: timesOf(
      ({ operator }) => String(operator),
      ({ removed_at }) => removed_at,
    ),
  };
  const registering = registrations.map((row) => ({ on: row, votes: signedVotesOf(row) }));
  return trustVoters(pinned, registering, ends, isDemo);
}

export const readTrustedVoters = async (queries: Queries, pinned: PinnedVoters): Promise<readonly TrustedVoter[]> =>
  trustedVotersOf(pinned, await listVoters(queries), await readRegistrationBallots(queries));

/** The different people whose signed approval of this ballot is valid. */
export async function verifiedVoters(
  ballot: BallotRow,
  voters: readonly TrustedVoter[],
  isDemo: boolean,
): Promise<string[]> {
  const rules = { roles: voterRolesFor(ballot), isDemo };
  return [...(await approversOf({ on: ballot, votes: signedVotesOf(ballot) }, voters, rules)).keys()];
}

/** True if the person in whose name this act is stored has signed exactly this act. */
export async function isActSigned(
  { act, subject, content, operator, step_up: stepUp, key, proof, at_ms: atMs }: ActRow,
  voters: readonly TrustedVoter[],
  isDemo: boolean,
): Promise<boolean> {
  if (content === null || stepUp === null || key === null || proof === null || atMs === null) return false;
  const on = { act, subject, fingerprint: toHex(sha256(utf8Bytes(content))), stepUp };
  const signed = { operator: String(operator), key, proof, atMs: Number(atMs) };
  return (await verifyAct(signed, on, voters, { roles: rolesOfAct(act) ?? [], isDemo })) === null;
}

/**
 * Whether the maker counts as one of the people of this decision: they signed exactly what was proposed. Null where the
 * maker was not to count, because others decide alone.
 */
export async function isMakerVerified(
  { id, kind, subject, content, need, made_by: operator, is_from_before: isFromBefore, proposal }: BallotRow,
  voters: readonly TrustedVoter[],
  isDemo: boolean,
): Promise<boolean | null> {
  const act = `propose.${kind}`;
  if (operator === null || need > 1 || !(act in PROPOSERS)) return null;
  if (isFromBefore) return true;
  return proposal !== null && isActSigned({ id, act, subject, content, operator, ...proposal }, voters, isDemo);
}

/** The reader's intended act: approvals of these kinds whose content contains these members. */
export interface ApprovalCriteria {
  readonly kinds: readonly string[];
  readonly subject: string;
  readonly members: Readonly<Record<string, string | null>>;
}

/**
 * How many different people have approved exactly this, verified by the reader's own keys. Votes on other content count
 * for nothing. A maker who counts has signed the proposal, or made it before proposals were signed; then only beside a
 * vote that is verified.
 */
export async function verifiedApprovals(
  queries: Queries,
  pinned: PinnedVoters | null,
  { kinds, subject, members }: ApprovalCriteria,
): Promise<number> {
  if (pinned === null) return 0;
  const ballots = await readBallotsOf(queries, kinds, subject);
  if (ballots.length === 0) return 0;
  const voters = await readTrustedVoters(queries, pinned);
  const people = new Set<string>();
  for (const ballot of ballots) {
    const said = JSON.parse(ballot.content) as Readonly<Record<string, unknown>>;
    if (ballot.status !== 'approved' || Object.entries(members).some(([name, value]) => said[name] !== value)) continue;
    const verified = await verifiedVoters(ballot, voters, pinned.isDemo);
    for (const person of verified) people.add(person);
    if (verified.length > 0 && (await isMakerVerified(ballot, voters, pinned.isDemo)))
      people.add(String(ballot.made_by));
  }
  return people.size;
}
