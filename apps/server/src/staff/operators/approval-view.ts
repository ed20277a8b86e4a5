import type { ApprovalView } from '@sathorn/api';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalRow } from './approval-store.ts';
import type { OperatorsModule } from './operators.ts';

export async function viewApproval(
  { approvals, kinds, naming }: Pick<OperatorsModule, 'approvals' | 'kinds' | 'naming'>,
  queries: Queries,
  row: ApprovalRow,
  operator: OperatorSession,
  now: Date,
): Promise<ApprovalView> {
  const fingerprint = row.fingerprint.toString('hex');
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    ...(await naming.of(row)),
    content: JSON.parse(row.content) as Record<string, unknown>,
    fingerprint,
    need: row.need,
    roles: row.roles,
    reason: row.reason,
    made_by: row.made_by === null ? null : { id: String(row.made_by), work_name: row.made_by_name ?? '' },
    made_at: row.made_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    effective_from: row.effective_from?.toISOString() ?? null,
    status: row.status,
    decided_at: row.decided_at?.toISOString() ?? null,
    stopped:
      row.stopped_at === null
        ? null
        : {
            by: { id: String(row.stopped_by), work_name: row.stopped_by_name ?? '' },
            at: row.stopped_at.toISOString(),
          },
    may_stop:
      row.status === 'approved' &&
      row.effective_from !== null &&
      row.effective_from > now &&
      (kinds.get(row.kind)?.stop ?? null) !== null,
    votes: row.votes.map(
      ({ operator: id, work_name, decision, role, at, signed_by, is_from_before: isFromBefore }) => ({
        by: { id, work_name },
        decision,
        role,
        at: new Date(at).toISOString(),
        signed_by,
        may_sign: signed_by === null && isFromBefore,
      }),
    ),
    refusal: await approvals.refusalOf(queries, { id: row.id, operator, fingerprint }),
    decided_on: kinds.has(row.kind) ? 'approvals' : 'subject',
  };
}
