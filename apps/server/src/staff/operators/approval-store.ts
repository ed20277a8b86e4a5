import type { ApprovalKindName } from '@sathorn/api';
import { type Queries, statement } from '../../platform/database/index.ts';

export interface ApprovalRow {
  readonly id: string;
  readonly kind: ApprovalKindName;
  readonly subject: string;
  readonly content: string;
  readonly fingerprint: Buffer;
  readonly need: number;
  readonly roles: string[];
  /** The customer whom it concerns; for a decision about an operator, that person's own customer account. */
  readonly about: bigint | null;
  readonly made_by: bigint | null;
  readonly made_by_name: string | null;
  readonly reason: string | null;
  readonly made_at: Date;
  readonly expires_at: Date | null;
  readonly effective_from: Date | null;
  readonly status: 'waiting' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'stale' | 'stopped';
  readonly decided_at: Date | null;
  readonly stopped_at: Date | null;
  readonly stopped_by: bigint | null;
  readonly stopped_by_name: string | null;
  readonly votes: {
    operator: string;
    work_name: string;
    decision: 'approve' | 'reject';
    role: string;
    at: string;
    signed_by: 'passkey' | 'device' | 'demo' | null;
    is_from_before: boolean;
  }[];
}

const COLUMNS = `a.id, a.kind, a.subject, a.content, a.fingerprint, operators.votes_needed(a) AS need, a.roles, a.about[1] AS about, a.made_by, m.work_name AS made_by_name,
  a.reason, a.made_at, a.expires_at, a.effective_from, a.status, a.decided_at, a.stopped_at, a.stopped_by, s.work_name AS stopped_by_name,
  coalesce((SELECT json_agg(json_build_object('operator', v.operator::text, 'work_name', o.work_name, 'decision', v.decision, 'role', v.role, 'at', v.at, 'signed_by', v.signed_by, 'is_from_before', v.is_from_before) ORDER BY v.at)
    FROM operators.signed_vote v JOIN operators.operator o ON o.id = v.operator WHERE v.approval = a.id), '[]') AS votes
  FROM operators.approval a LEFT JOIN operators.operator m ON m.id = a.made_by LEFT JOIN operators.operator s ON s.id = a.stopped_by`;
const WHICH: Readonly<Record<'waiting' | 'made' | 'decided', string>> = {
  waiting: `a.status = 'waiting' AND a.made_by IS DISTINCT FROM $1 AND a.roles && $2::text[]`,
  made: `a.made_by = $1 AND $2::text[] IS NOT NULL`,
  decided: `a.status <> 'waiting' AND a.roles && $2::text[] AND $1::bigint IS NOT NULL`,
};
const lists = Object.fromEntries(
  Object.entries(WHICH).map(([which, where]) => [
    which,
    statement(
      `operators.list_approvals_${which}`,
      `SELECT ${COLUMNS} WHERE ${where} AND ($3::text IS NULL OR a.kind = $3)
         AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', a.made_at), a.id) < ($4, $5::uuid))
       ORDER BY date_trunc('milliseconds', a.made_at) DESC, a.id DESC LIMIT $6`,
    ),
  ]),
);
const read = statement('operators.read_approval', `SELECT ${COLUMNS} WHERE a.id = $1`);
const waitingOf = statement(
  'operators.waiting_approval',
  `SELECT ${COLUMNS} WHERE a.kind = $1 AND a.subject = $2 AND a.status = 'waiting'`,
);
const lock = statement(
  'operators.lock_subject',
  "SELECT pg_advisory_xact_lock(hashtextextended('approval ' || $1, 0))",
);
const count = statement(
  'operators.count_approvals',
  `SELECT count(*) FILTER (WHERE ${WHICH.waiting})::integer AS waiting, count(*) FILTER (WHERE ${WHICH.made})::integer AS made
   FROM operators.approval a WHERE a.status = 'waiting'`,
);
const overdue = statement(
  'operators.overdue_approvals',
  `SELECT id FROM operators.approval WHERE status = 'waiting' AND expires_at <= clock_timestamp() LIMIT 1000`,
);

export function listApprovalRows(
  queries: Queries,
  which: keyof typeof WHICH,
  by: { readonly operator: bigint; readonly roles: readonly string[]; readonly kind: string | null },
  before: { readonly at: Date; readonly id: string } | null,
  limit: number,
): Promise<ApprovalRow[]> {
  const list = lists[which];
  if (!list) throw new Error(`no list of approvals ${which}`);
  const values = [by.operator, by.roles, by.kind, before?.at ?? null, before?.id ?? null, limit];
  return queries.query<ApprovalRow>(list, values);
}

export async function readApprovalRow(queries: Queries, id: string): Promise<ApprovalRow | null> {
  return (await queries.query<ApprovalRow>(read, [id]))[0] ?? null;
}

/** Until the transaction ends, all other proposals about this subject wait here. */
export async function lockSubject(transaction: Queries, subject: string): Promise<void> {
  await transaction.query(lock, [subject]);
}

/** Call it in a transaction: of two simultaneous proposals, the second finds the first one's approval. */
export async function findWaitingApproval(
  queries: Queries,
  kind: string,
  subject: string,
): Promise<ApprovalRow | null> {
  if ('isTransaction' in queries) await lockSubject(queries, subject);
  return (await queries.query<ApprovalRow>(waitingOf, [kind, subject]))[0] ?? null;
}

export async function countApprovals(
  queries: Queries,
  operator: bigint,
  roles: readonly string[],
): Promise<{ waiting: number; made: number }> {
  const [row] = await queries.query<{ waiting: number; made: number }>(count, [operator, roles]);
  return row ?? { waiting: 0, made: 0 };
}

export async function listOverdueApprovals(queries: Queries): Promise<string[]> {
  return (await queries.query<{ id: string }>(overdue)).map(({ id }) => id);
}
