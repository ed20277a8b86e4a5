import { randomUUID } from 'node:crypto';
import { writeAct } from '@sathorn/proof';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { rolesOfAct } from '../votes/index.ts';
import { isSignedBy, wasSignedBy } from './voting.ts';

/** How long a confirmation is valid, counted from its request. */
const STEP_UP_SECONDS = 120;

export interface StepUpChallengeRow {
  readonly id: string;
  readonly operator: bigint | null;
  readonly challenge: string;
  readonly act: string | null;
  readonly subject: string | null;
  readonly fingerprint: Buffer | null;
}

/** A key and the text that it signed. */
export interface SignedVote {
  readonly key: string;
  readonly proof: string;
}

/** The subject of a confirmation: an act on a subject, in the state that was shown. */
export interface ConfirmedStepUp {
  readonly act: string;
  readonly subject: string;
  readonly fingerprint: string;
}

/** Confirmations by authenticator or passkey, each for one act on one subject in the state that was shown. */
export interface StepUps {
  /** Uses up the confirmation sent with this call. Votes need not call it, because the database uses up theirs. */
  spend(
    transaction: Queries,
    operator: OperatorSession,
    of: ConfirmedStepUp,
  ): Promise<Decision<null, 'step_up_required' | 'step_up_expired'>>;
  /**
   * The same for an act that people sign (`rolesOfAct`): a key of this operator that counts for it has signed it.
   * Returns the confirmation's id, which the row of the act names, so that the checker can verify the signature.
   */
  sign(
    transaction: Queries,
    operator: OperatorSession,
    of: ConfirmedStepUp,
  ): Promise<Decision<string, 'step_up_required' | 'step_up_expired' | 'vote_unsigned'>>;
  /** True if this operator signed exactly this act under a confirmation of before. */
  wasSigned(queries: Queries, operator: bigint, of: ConfirmedStepUp, stepUp: string): Promise<boolean>;
}

const insert = statement(
  'operators.insert_challenge',
  `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + make_interval(secs => $9)) RETURNING expires_at`,
);
const find = statement(
  'operators.find_challenge',
  `SELECT id, operator, challenge, act, subject, fingerprint FROM operators.challenge
   WHERE id = $1 AND purpose = $2 AND operator IS NOT DISTINCT FROM $3 AND session IS NOT DISTINCT FROM $4
     AND used_at IS NULL AND confirmed_at IS NULL AND expires_at > clock_timestamp()`,
);
const confirm = statement(
  'operators.confirm_challenge',
  `UPDATE operators.challenge SET confirmed_at = clock_timestamp(), confirmed_by = $2, vote_key = $3, proof = $4, used_at = CASE WHEN purpose = 'decision' THEN NULL ELSE clock_timestamp() END
   WHERE id = $1 AND confirmed_at IS NULL AND expires_at > clock_timestamp() RETURNING id`,
);
const spend = statement(
  'operators.spend_challenge',
  `UPDATE operators.challenge SET used_at = clock_timestamp()
   WHERE id = $1 AND purpose = 'decision' AND operator = $2 AND session = $3 AND act = $4 AND subject = $5 AND fingerprint = $6
     AND confirmed_at IS NOT NULL AND used_at IS NULL AND expires_at > clock_timestamp() RETURNING vote_key AS key, proof`,
);
const signed = statement(
  'operators.read_signed',
  `SELECT vote_key AS key, proof FROM operators.challenge
   WHERE id = $1 AND purpose = 'decision' AND operator = $2 AND session = $3 AND act = $4 AND subject = $5 AND fingerprint = $6
     AND confirmed_at IS NOT NULL AND used_at IS NULL AND expires_at > clock_timestamp()`,
);
const used = statement(
  'operators.read_used_challenge',
  'SELECT vote_key AS key, proof FROM operators.challenge WHERE id = $1 AND used_at IS NOT NULL',
);
export async function insertStepUpChallenge(
  queries: Queries,
  given: {
    readonly id?: string;
    readonly purpose: 'login' | 'device' | 'decision';
    readonly operator: OperatorSession | null;
    readonly challenge: string;
    readonly act?: string;
    readonly subject?: string;
    readonly fingerprint?: string;
  },
): Promise<{ id: string; expiresAt: Date }> {
  const { id = randomUUID(), purpose, operator, challenge, act, subject, fingerprint } = given;
  const [row] = await queries.query<{ expires_at: Date }>(insert, [
    id,
    purpose,
    operator?.id ?? null,
    operator?.sessionId ?? null,
    act ?? null,
    subject ?? null,
    fingerprint === undefined ? null : Buffer.from(fingerprint, 'hex'),
    challenge,
    STEP_UP_SECONDS,
  ]);
  if (!row) throw new Error('no challenge was written');
  return { id, expiresAt: row.expires_at };
}

/** This session's open challenge. */
export async function findStepUpChallenge(
  queries: Queries,
  id: string,
  purpose: 'login' | 'device' | 'decision',
  operator: OperatorSession | null,
): Promise<StepUpChallengeRow | null> {
  const values = [id, purpose, operator?.id ?? null, operator?.sessionId ?? null];
  return (await queries.query<StepUpChallengeRow>(find, values))[0] ?? null;
}

/** False if the challenge has been answered in the meantime or has expired. */
export async function confirmStepUpChallenge(
  queries: Queries,
  id: string,
  by: 'authenticator' | 'passkey',
  signed: SignedVote | null = null,
): Promise<boolean> {
  return (await queries.query(confirm, [id, by, signed?.key ?? null, signed?.proof ?? null])).length > 0;
}

/** The signed text of the vote that this confirmation is for; null if the confirmation is not valid for the vote. */
export async function readSignedVote(
  queries: Queries,
  id: string,
  operator: OperatorSession,
  of: ConfirmedStepUp,
): Promise<{ readonly key: string | null; readonly proof: string | null } | null> {
  const values = [id, operator.id, operator.sessionId, of.act, of.subject, Buffer.from(of.fingerprint, 'hex')];
  return (await queries.query<{ key: string | null; proof: string | null }>(signed, values))[0] ?? null;
}

async function useUp(
  transaction: Queries,
  { id, sessionId, stepUp }: OperatorSession,
  { act, subject, fingerprint }: ConfirmedStepUp,
): Promise<
  Decision<
    { readonly stepUp: string; readonly key: string | null; readonly proof: string | null },
    'step_up_required' | 'step_up_expired'
  >
> {
  if (stepUp === undefined) return refuse('step_up_required');
  const values = [stepUp, id, sessionId, act, subject, Buffer.from(fingerprint, 'hex')];
  const [row] = await transaction.query<{ key: string | null; proof: string | null }>(spend, values);
  return row ? accept({ ...row, stepUp }) : refuse('step_up_expired');
}

export function openStepUps(): StepUps {
  return {
    async spend(transaction, operator, of) {
      const used = await useUp(transaction, operator, of);
      return used.ok ? accept(null) : used;
    },
    async sign(transaction, operator, of) {
      const used = await useUp(transaction, operator, of);
      if (!used.ok) return used;
      const { stepUp } = used.effect;
      const text = writeAct({ ...of, stepUp }, String(operator.id));
      const isSigned = await isSignedBy(transaction, operator.id, text, used.effect, rolesOfAct(of.act));
      return isSigned ? accept(stepUp) : refuse('vote_unsigned');
    },
    async wasSigned(queries, operator, of, stepUp) {
      const [row] = await queries.query<{ key: string | null; proof: string | null }>(used, [stepUp]);
      const text = writeAct({ ...of, stepUp }, String(operator));
      return row !== undefined && wasSignedBy(queries, operator, text, row, rolesOfAct(of.act) ?? []);
    },
  };
}
