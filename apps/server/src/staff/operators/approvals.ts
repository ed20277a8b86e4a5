import { hash, randomUUID } from 'node:crypto';
import type { ApprovalKindName, DecisionRefusal, OperatorRole } from '@sathorn/api';
import { type Canonical, canonicalText, writeVote } from '@sathorn/proof';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Queries, statement, type Transaction } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { readBallot } from '../votes/index.ts';
import type { ApprovalRow } from './approval-store.ts';
import { openStepUps, readSignedVote } from './step-up.ts';
import { isProposalSigned, isSignedBy } from './voting.ts';

export interface ApprovalOpening {
  /** The kind of act to be approved, such as `withdrawal` or `freeze_lift`. */
  readonly kind: ApprovalKindName;
  /** The subject's id within its kind. At most one approval per kind and subject is open. */
  readonly subject: string;
  /** The content that is approved. Its hash is the fingerprint that each vote must repeat. */
  readonly fingerprintOf: Canonical;
  readonly need: 1 | 2;
  /** Null if a customer made the request. */
  readonly madeBy: bigint | null;
  readonly roles: readonly OperatorRole[];
  /** The customers concerned. Neither they nor their inviters may vote. */
  readonly about?: readonly bigint[];
  readonly reason?: string;
  readonly expiresAt?: Date;
  /** When the decision takes effect, if later than the last vote. Until then one person may stop it. */
  readonly effectiveFrom?: Date;
}

export interface ApprovalVote {
  readonly id: string;
  /** The operator as the handler received it: `stepUp` is the confirmation sent with this call. */
  readonly operator: OperatorSession;
  readonly fingerprint: string;
  readonly decision: 'approve' | 'reject';
  /** A code from the catalogue of reasons. */
  readonly reason?: string;
}

/** Opened by an operator whose signature counts as one person of two. */
export type Proposal = Omit<ApprovalOpening, 'need' | 'madeBy'> & {
  /** The waiting approval of an earlier content, which is closed once this one is signed. */
  readonly replaces?: string | null;
};
export type ProposalRefusal = 'step_up_required' | 'step_up_expired' | 'vote_unsigned';

/** Reasons for which the database refuses a vote before it counts it. */
export type VoteRefusal = Exclude<
  DecisionRefusal,
  'step_up_required' | 'step_up_expired' | 'vote_unsigned' | 'votes_unsigned'
>;

export interface CountedVotes {
  readonly approvals: number;
  readonly need: number;
  readonly isDecided: boolean;
}

export interface Approvals {
  /** Returns the id and the fingerprint (hex). Throws if an approval of this kind and subject is already open. */
  open(transaction: Queries, opening: ApprovalOpening): Promise<{ readonly id: string; readonly fingerprint: string }>;
  /**
   * The same for what one person proposes and another approves. The maker signs exactly this content; without a
   * confirmation the refusal names what is to be confirmed, and nothing is written.
   */
  propose(
    transaction: Queries,
    operator: OperatorSession,
    proposal: Proposal,
  ): Promise<Decision<{ readonly id: string; readonly fingerprint: string }, ProposalRefusal>>;
  /** The reason why this operator may not vote now, or null. Check it before money moves. */
  refusalOf(queries: Queries, vote: Pick<ApprovalVote, 'id' | 'operator' | 'fingerprint'>): Promise<VoteRefusal | null>;
  /**
   * Casts a vote, in the transaction of its consequences. The database rejects the maker, a second vote of the same
   * operator, a person concerned, a missing role, a wrong fingerprint, and a vote without a confirmation. The server
   * already refuses a vote that no key of this operator has signed.
   */
  vote(transaction: Queries, vote: ApprovalVote): Promise<Decision<CountedVotes, DecisionRefusal>>;
  /** Signs an operator's vote that an older version cast without a signature. Null when done, or the refusal. */
  sign(transaction: Queries, vote: ApprovalVote): Promise<SignVoteRefusal | null>;
  /** Withdraws an approval. Returns false if it is no longer open or belongs to another operator. Never approves. */
  close(
    transaction: Queries,
    id: string,
    how: 'withdrawn' | 'stale' | 'expired',
    operator?: bigint | null,
  ): Promise<boolean>;
  /** Stops an approved decision before it takes effect. Returns null if it is stopped, otherwise the refusal. */
  stop(transaction: Queries, id: string, operator: OperatorSession): Promise<StopApprovalRefusal | null>;
}
type SignVoteRefusal = Extract<
  DecisionRefusal,
  | 'approval_unknown'
  | 'fingerprint_stale'
  | 'already_voted'
  | 'role_missing'
  | 'step_up_required'
  | 'step_up_expired'
  | 'vote_unsigned'
>;
export type StopApprovalRefusal = 'approval_unknown' | 'role_missing' | 'already_effective';

const open = statement(
  'operators.open_approval',
  'SELECT operators.open_approval($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS fingerprint',
);
const refusal = statement('operators.refuse_vote', 'SELECT operators.refuse_vote($1, $2, $3, $4) AS refusal');
const cast = statement(
  'operators.cast_vote',
  'SELECT refusal, approvals, need, is_decided FROM operators.cast_vote($1, $2, $3, $4, $5, $6, $7)',
);
const sign = statement('operators.sign_vote', 'SELECT operators.sign_vote($1, $2, $3, $4, $5) AS refusal');
const close = statement('operators.close_approval', 'SELECT operators.close_approval($1, $2, $3) AS is_closed');
const stop = statement('operators.stop_approval', 'SELECT operators.stop_approval($1, $2, $3) AS refusal');

/** Refuses votes without the person's signature, which an attacker who can only write rows cannot make. */
async function refuseUnsigned(
  transaction: Queries,
  { id, operator, fingerprint, decision }: Omit<ApprovalVote, 'reason'>,
): Promise<'step_up_required' | 'step_up_expired' | 'vote_unsigned' | null> {
  if (operator.stepUp === undefined) return 'step_up_required';
  const of = { act: `approval.${decision}`, subject: id, fingerprint };
  const signed = await readSignedVote(transaction, operator.stepUp, operator, of);
  if (signed === null) return 'step_up_expired';
  const ballot = await readBallot(transaction, id);
  if (ballot === null) return 'vote_unsigned';
  const text = writeVote(ballot, String(operator.id), decision);
  return (await isSignedBy(transaction, operator.id, text, signed)) ? null : 'vote_unsigned';
}

async function openSigned(
  transaction: Queries,
  { kind, subject, fingerprintOf, need, madeBy, roles, about = [], reason, expiresAt, effectiveFrom }: ApprovalOpening,
  stepUp: string | null,
): Promise<{ readonly id: string; readonly fingerprint: string }> {
  const id = randomUUID();
  const [row] = await transaction.query<{ fingerprint: Buffer }>(open, [
    id,
    kind,
    subject,
    canonicalText(fingerprintOf),
    need,
    roles,
    madeBy,
    about,
    reason ?? null,
    expiresAt ?? null,
    effectiveFrom ?? null,
    stepUp,
  ]);
  if (!row) throw new Error('no approval was opened');
  return { id, fingerprint: row.fingerprint.toString('hex') };
}

export function openApprovals(): Approvals {
  const stepUps = openStepUps();
  return {
    open: (transaction, opening) => openSigned(transaction, opening, null),

    async propose(transaction, operator, { replaces = null, ...proposal }) {
      const { kind, subject, fingerprintOf } = proposal;
      const of = { act: `propose.${kind}`, subject, fingerprint: hash('sha256', canonicalText(fingerprintOf), 'hex') };
      const signed = await stepUps.sign(transaction, operator, of);
      if (!signed.ok)
        return signed.refusal === 'step_up_required'
          ? refuse('step_up_required', { params: { op: of.act, id: subject, fingerprint: of.fingerprint } })
          : signed;
      if (replaces !== null) await this.close(transaction, replaces, 'stale');
      return accept(await openSigned(transaction, { ...proposal, need: 1, madeBy: operator.id }, signed.effect));
    },

    async refusalOf(queries, { id, operator, fingerprint }) {
      const values = [id, operator.id, operator.sessionId, Buffer.from(fingerprint, 'hex')];
      const [row] = await queries.query<{ refusal: VoteRefusal | null }>(refusal, values);
      return row?.refusal ?? null;
    },

    async vote(transaction, { id, operator, fingerprint, decision, reason }) {
      const refused = await this.refusalOf(transaction, { id, operator, fingerprint });
      if (refused !== null) return refuse(refused);
      const unsigned = await refuseUnsigned(transaction, { id, operator, fingerprint, decision });
      if (unsigned !== null) return refuse(unsigned);
      // What nobody signed, a vote of before or a proposal, must not complete a decision together with this vote.
      const ballot = decision === 'approve' ? await readBallot(transaction, id) : null;
      if (ballot?.votes.some(({ key }) => key === null) || (ballot && !(await isProposalSigned(transaction, ballot))))
        return refuse('votes_unsigned');
      const [row] = await transaction.query<{
        refusal: DecisionRefusal | null;
        approvals: number;
        need: number;
        is_decided: boolean;
      }>(cast, [
        id,
        operator.id,
        operator.sessionId,
        Buffer.from(fingerprint, 'hex'),
        decision,
        reason ?? null,
        operator.stepUp ?? null,
      ]);
      if (!row) throw new Error('a vote was not answered');
      if (row.refusal !== null) return refuse(row.refusal);
      return accept({ approvals: row.approvals, need: row.need, isDecided: row.is_decided });
    },

    async sign(transaction, { id, operator, fingerprint, decision }) {
      const unsigned = await refuseUnsigned(transaction, { id, operator, fingerprint, decision });
      if (unsigned !== null) return unsigned;
      const values = [id, operator.id, operator.sessionId, Buffer.from(fingerprint, 'hex'), operator.stepUp ?? null];
      const [row] = await transaction.query<{ refusal: SignVoteRefusal | null }>(sign, values);
      if (!row) throw new Error('a signature was not answered');
      return row.refusal;
    },

    async close(transaction, id, how, operator = null) {
      const [row] = await transaction.query<{ is_closed: boolean }>(close, [id, how, operator]);
      return row?.is_closed ?? false;
    },

    async stop(transaction, id, operator) {
      const values = [id, operator.id, operator.sessionId];
      const [row] = await transaction.query<{ refusal: StopApprovalRefusal | null }>(stop, values);
      if (!row) throw new Error('a stop was not answered');
      return row.refusal;
    },
  };
}

/** The consequences of an approval that has all its votes. A kind without them is decided on its own page. */
export interface ApprovalKind {
  /** Runs in the last vote's transaction. Returns false, and changes nothing, if the subject has changed. */
  apply(transaction: Transaction, approval: ApprovalRow, operator: OperatorSession): Promise<boolean>;
  /** Runs after the transaction has committed. It may fail, so nothing essential may depend on it. */
  applied?(): Promise<void>;
  /**
   * Runs in the transaction in which one person stops the decision before its `effectiveFrom`, and undoes what `apply`
   * scheduled. A kind without `stop` takes effect at once and cannot be stopped.
   */
  stop?(transaction: Transaction, approval: ApprovalRow, operator: OperatorSession): Promise<void>;
  /** Runs in the transaction in which one person rejects the approval, for subjects that wait for the decision. */
  rejected?(transaction: Transaction, approval: ApprovalRow): Promise<void>;
  /** Runs after the commit of a rejection or a stop, to notify those who wait. It may fail. */
  ended?(approval: ApprovalRow): Promise<void>;
  /** True for the person who opened the case, who must not take part in its decision. */
  isConcerned?(queries: Queries, approval: ApprovalRow, operator: OperatorSession): Promise<boolean>;
  /** The customer who sees this approval in their list of staff actions. */
  customerOf(approval: ApprovalRow): bigint | null;
}
