import type { OperatorRole } from '@sathorn/api';
import { plainArray, type Queries, statement } from '../database/index.ts';

/** A vote as a customer may see it: with the operator's work name. */
export interface VoteView {
  readonly by: string;
  readonly role: OperatorRole;
  readonly at: string;
}

const READ = statement(
  'operators.read_votes',
  `SELECT v.approval, o.work_name AS by, v.role, v.at FROM operators.vote v JOIN operators.operator o ON o.id = v.operator
   WHERE v.approval = ANY ($1::uuid[]) AND v.decision = 'approve' ORDER BY v.at`,
);

/** Who has approved, by approval id; earliest first. */
export async function readVotes(queries: Queries, approvals: readonly string[]): Promise<Map<string, VoteView[]>> {
  const votes = new Map<string, VoteView[]>();
  if (approvals.length === 0) return votes;
  const rows = await queries.query<{ approval: string; by: string; role: OperatorRole; at: Date }>(READ, [
    plainArray(approvals),
  ]);
  for (const { approval, by, role, at } of rows)
    votes.set(approval, [...(votes.get(approval) ?? []), { by, role, at: at.toISOString() }]);
  return votes;
}
