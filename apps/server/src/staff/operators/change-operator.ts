import type { ListedOperator } from '@sathorn/api';
import type { Canonical } from '@sathorn/proof';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { lockSubject } from './approval-store.ts';
import type { ApprovalKind, ProposalRefusal } from './approvals.ts';
import { findOperator } from './operator-store.ts';
import { viewOperatorById } from './operator-view.ts';
import type { OperatorsModule } from './operators.ts';
import { askToRegisterVotersAgain } from './register-voter.ts';

const WAITS_MS = 72 * 60 * 60_000;

/**
 * Decisions about operators by two administrators. The subject is the operator's id, or for an invitation the work
 * name.
 */
export const OPERATOR_APPROVAL_KINDS = [
  'operator_invite',
  'operator_role',
  'operator_device',
  'operator_unfreeze',
] as const;
type OperatorKind = (typeof OPERATOR_APPROVAL_KINDS)[number];

const apply = statement('operators.apply_change', 'SELECT operators.apply_change($1) AS id');
const without = statement('operators.admins_without', 'SELECT operators.admins_without($1) AS admins');
const waits = statement(
  'operators.change_waits',
  "SELECT 1 AS waits FROM operators.approval WHERE status = 'waiting' AND subject = $1 AND kind = ANY ($2)",
);

/**
 * How many administrators remain without this one. Two are needed, because one must approve what the other proposes.
 */
async function adminsWithout(queries: Queries, operator: bigint): Promise<number> {
  const [row] = await queries.query<{ admins: number }>(without, [operator]);
  return row?.admins ?? 0;
}

export async function isLastAdmin(
  queries: Queries,
  changed: Pick<ListedOperator, 'id' | 'roles'>,
  roles: readonly string[],
): Promise<boolean> {
  if (!changed.roles.includes('admin') || roles.includes('admin')) return false;
  return (await adminsWithout(queries, BigInt(changed.id))) < 2;
}

/** Finds another active operator, because nobody may change their own access. */
export async function findOtherOperator(
  queries: Queries,
  operator: OperatorSession,
  id: bigint,
): Promise<Decision<ListedOperator, 'operator_unknown' | 'own_role'>> {
  const found = await viewOperatorById(queries, id);
  if (!found || found.state === 'removed') return refuse('operator_unknown', { field: 'id' });
  return id === operator.id ? refuse('own_role') : accept(found);
}

/** Asks another administrator, signed by the one who asks. Nothing changes until they approve. */
export async function askForOperatorChange(
  { database, approvals, audit }: OperatorsModule,
  operator: OperatorSession,
  asked: {
    readonly kind: OperatorKind;
    readonly subject: string;
    readonly content: { readonly [name: string]: Canonical };
    readonly about?: readonly bigint[];
    readonly reason: string;
  },
  now: Date,
): Promise<Decision<{ approval: string }, 'already_waiting' | ProposalRefusal>> {
  return database.transaction(async (transaction) => {
    await lockSubject(transaction, asked.subject);
    const waiting = await transaction.query(waits, [asked.subject, [...OPERATOR_APPROVAL_KINDS]]);
    if (waiting.length > 0) return refuse('already_waiting');
    const opened = await approvals.propose(transaction, operator, {
      kind: asked.kind,
      subject: asked.subject,
      fingerprintOf: asked.content,
      roles: ['admin'],
      ...(asked.about && { about: asked.about }),
      reason: asked.reason,
      expiresAt: new Date(now.getTime() + WAITS_MS),
    });
    if (!opened.ok) return opened;
    const { id } = opened.effect;
    await audit.append(transaction, {
      operator,
      what: `${asked.kind}.asked`,
      on: { kind: 'operator', id: asked.subject },
      after: { approval: id },
      note: asked.reason,
    });
    return accept({ approval: id });
  });
}

/** Applies the change once the second administrator has approved it. The database acts on the approval alone. */
export const operatorChangeKind = (module: Pick<OperatorsModule, 'approvals' | 'audit'>): ApprovalKind => ({
  async apply(transaction, { id, kind, subject, content }) {
    if (kind === 'operator_invite') {
      if (await findOperator(transaction, subject)) return false;
    } else {
      const now = await viewOperatorById(transaction, BigInt(subject));
      const seen = JSON.parse(content) as { fingerprint: string; roles?: string[] };
      // Roles, freezes or access have changed in the meantime, so the two administrators approved another state.
      if (now?.fingerprint !== seen.fingerprint) return false;
      if (seen.roles && (await isLastAdmin(transaction, now, seen.roles))) return false;
    }
    await transaction.query(apply, [id]);
    if (kind === 'operator_role') await askToRegisterVotersAgain(module, transaction, BigInt(subject), new Date());
    return true;
  },
  customerOf: () => null,
});
