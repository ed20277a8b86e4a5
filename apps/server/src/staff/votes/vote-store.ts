import type { CastVote, VoteDecision, VoterKind } from '@sathorn/proof';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';

export interface VoterRow {
  readonly id: string;
  readonly operator: bigint;
  readonly work_name: string;
  readonly kind: VoterKind;
  /** In hex. */
  readonly public_key: string;
  readonly party: string;
  readonly passkey: string | null;
  readonly name: string;
  readonly made_at: Date;
  readonly ended_at: Date | null;
  readonly pinned_roles: string[] | null;
  /** The operator's current roles in the database. */
  readonly roles: string[];
  readonly removed_at: Date | null;
  readonly is_registered: boolean;
  /** The open approval that would register the key. */
  readonly waiting: string | null;
}

export interface BallotRow {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly content: string;
  readonly fingerprint: string;
  readonly need: number;
  readonly roles: string[];
  readonly made_by: bigint | null;
  readonly status: string;
  readonly decided_at: Date | null;
  readonly votes: readonly {
    readonly operator: string;
    readonly decision: VoteDecision;
    /** Null for a vote that nobody signed. */
    readonly key: string | null;
    readonly proof: string | null;
    readonly at_ms: string | null;
  }[];
  /** It was decided before proposals were signed. */
  readonly is_from_before: boolean;
  /** What its maker signed; null if nobody did. */
  readonly proposal: Pick<ActRow, 'step_up' | 'key' | 'proof' | 'at_ms'> | null;
}

/** One act of one person. The fields of the signature are null if the act was not signed. */
export interface ActRow {
  readonly id: string;
  readonly act: string;
  readonly subject: string;
  /** The act as it was shown on the screen. */
  readonly content: string | null;
  readonly operator: bigint | string;
  readonly step_up: string | null;
  readonly key: string | null;
  readonly proof: string | null;
  readonly at_ms: string | null;
}

const VOTER = `SELECT id, operator, work_name, kind, public_key, party, passkey, name, made_at, ended_at, pinned_roles, roles, removed_at, is_registered, waiting
  FROM votes.voter`;
export const BALLOT_COLUMNS =
  'id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at, votes, is_from_before, proposal';
const BALLOT = `SELECT ${BALLOT_COLUMNS} FROM votes.ballot`;
const all = statement('votes.list_voters', `${VOTER} ORDER BY made_at, id`);
const ofOperator = statement(
  'votes.voters_of',
  `${VOTER} WHERE operator = $1 AND ended_at IS NULL AND removed_at IS NULL ORDER BY made_at, id`,
);
const one = statement('votes.voter', `${VOTER} WHERE id = $1`);
const insert = statement(
  'votes.insert_key',
  `INSERT INTO votes.key (id, operator, kind, public_key, party, passkey, name) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const pin = statement('votes.pin_key', 'UPDATE votes.key SET pinned_roles = $2 WHERE id = $1 AND pinned_roles IS NULL');
const ballot = statement('votes.ballot', `${BALLOT} WHERE id = $1`);
const ballotsOf = statement('votes.ballots_of', `${BALLOT} WHERE kind = ANY ($1::text[]) AND subject = $2`);
const registrations = statement(
  'votes.registrations',
  `${BALLOT} WHERE kind = 'voting_key' AND status = 'approved' ORDER BY decided_at, id`,
);

export const listVoters = (queries: Queries): Promise<VoterRow[]> => queries.query<VoterRow>(all);
export const readVotersOf = (queries: Queries, operator: bigint): Promise<VoterRow[]> =>
  queries.query<VoterRow>(ofOperator, [operator]);
export async function readVoterRow(queries: Queries, id: string): Promise<VoterRow | null> {
  return (await queries.query<VoterRow>(one, [id]))[0] ?? null;
}
/** Returns false if the key, or one with the passkey's id, is stored already. */
export async function insertVoter(
  queries: Queries,
  key: Pick<VoterRow, 'id' | 'operator' | 'kind' | 'public_key' | 'party' | 'passkey' | 'name'>,
): Promise<boolean> {
  const { id, operator, kind, public_key, party, passkey, name } = key;
  const values = [id, operator, kind, Buffer.from(public_key, 'hex'), party, passkey, name];
  return (await queries.query(insert, values)).length > 0;
}
/** Only the database's owner may call this. */
export async function markPinned(owner: Queries, id: string, roles: readonly string[]): Promise<void> {
  await owner.query(pin, [id, roles]);
}
export async function readBallot(queries: Queries, approval: string): Promise<BallotRow | null> {
  return (await queries.query<BallotRow>(ballot, [approval]))[0] ?? null;
}
export const readBallotsOf = (queries: Queries, kinds: readonly string[], subject: string): Promise<BallotRow[]> =>
  queries.query<BallotRow>(ballotsOf, [arrayLiteral(kinds), subject]);
export const readRegistrationBallots = (queries: Queries): Promise<BallotRow[]> =>
  queries.query<BallotRow>(registrations);

/** The votes of a ballot that have a signature. */
export const signedVotesOf = ({ votes }: Pick<BallotRow, 'votes'>): CastVote[] =>
  votes.flatMap(({ operator, decision, key, proof, at_ms }) =>
    key === null || proof === null || at_ms === null ? [] : [{ operator, decision, key, proof, atMs: Number(at_ms) }],
  );
