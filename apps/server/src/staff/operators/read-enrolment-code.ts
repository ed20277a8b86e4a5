import { readEnrolmentCode } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readApprovalRow } from './approval-store.ts';
import { enrolmentCodeOf } from './enrolment-code.ts';
import { findOperator } from './operator-store.ts';
import { viewOperatorById } from './operator-view.ts';
import type { OperatorsModule } from './operators.ts';

export function readEnrolmentCodeHandler({ database, keys, audit }: OperatorsModule): Handler {
  return handle(readEnrolmentCode, async ({ operator, request }) => {
    const row = await readApprovalRow(database, request.approval);
    const { invitation, secret_hash, work_name } = JSON.parse(row?.content ?? '{}') as Record<string, string>;
    const isChecker = row?.votes.some((vote) => vote.operator === String(operator.id) && vote.decision === 'approve');
    if (row?.status !== 'approved' || !isChecker || !invitation || !work_name)
      return refuse('approval_unknown', { field: 'approval' });
    const invited = await findOperator(database, work_name);
    const until = invited && (await viewOperatorById(database, invited.id))?.enrol_until;
    // The code was used, has expired, or was replaced by a newer invitation.
    if (!until || invited.enrolment_hash?.toString('hex') !== secret_hash) return refuse('enrolment_over');
    await database.transaction((transaction) =>
      audit.append(transaction, {
        operator,
        what: 'operator.code_shown',
        on: { kind: 'operator', id: String(invited.id) },
        after: { approval: row.id },
      }),
    );
    return accept({ work_name, code: enrolmentCodeOf(keys, invitation), until });
  });
}
