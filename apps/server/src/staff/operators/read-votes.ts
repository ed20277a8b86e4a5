import type { OperatorRole } from '@sathorn/api';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';

/** A vote in the form that customers may see: with the operator's work name. */
interface VoteView {
  readonly by: string;
  readonly role: OperatorRole;
  readonly at: string;
}

const READ = statement(
  'operators.read_votes',
  `SELECT v.approval, o.work_name AS by, v.role, v.at FROM operators.vote v JOIN operators.operator o ON o.id = v.operator
   WHERE v.approval = ANY ($1::uuid[]) AND v.decision = 'approve' ORDER BY v.at`,
);

/** The people who approved, by approval id; earliest first. */
export async function readVotes(queries: Queries, approvals: readonly string[]): Promise<Map<string, VoteView[]>> {
  const votes = new Map<string, VoteView[]>();
  if (approvals.length === 0) return votes;
  const rows = await queries.query<{ approval: string; by: string; role: OperatorRole; at: Date }>(READ, [
    arrayLiteral(approvals),
  ]);
  for (const { approval, by, role, at } of rows)
    votes.set(approval, [...(votes.get(approval) ?? []), { by, role, at: at.toISOString() }]);
  return votes;
}

export interface ApprovalMakers {
  readonly madeBy: string | null;
  readonly checkedBy: readonly string[];
  readonly reason: string | null;
}
const READ_MAKERS = statement(
  'operators.read_makers',
  `SELECT a.id, m.work_name AS made_by, a.reason, array(SELECT o.work_name FROM operators.vote v JOIN operators.operator o ON o.id = v.operator
     WHERE v.approval = a.id AND v.decision = 'approve' ORDER BY v.at) AS checked_by
   FROM operators.approval a LEFT JOIN operators.operator m ON m.id = a.made_by WHERE a.id = ANY ($1::uuid[])`,
);

/** The people who proposed and approved, and the reason, by approval id. */
export async function readApprovalMakers(
  queries: Queries,
  approvals: readonly string[],
): Promise<ReadonlyMap<string, ApprovalMakers>> {
  if (approvals.length === 0) return new Map();
  const rows = await queries.query<{
    id: string;
    made_by: string | null;
    reason: string | null;
    checked_by: string[];
  }>(READ_MAKERS, [arrayLiteral(approvals)]);
  return new Map(
    rows.map(({ id, made_by, reason, checked_by }) => [id, { madeBy: made_by, checkedBy: checked_by, reason }]),
  );
}
