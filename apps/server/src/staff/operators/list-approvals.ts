import { listApprovals } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { countApprovals, listApprovalRows } from './approval-store.ts';
import { viewApproval } from './approval-view.ts';
import type { OperatorsModule } from './operators.ts';

const PAGE = 30;

export function listApprovalsHandler(module: OperatorsModule): Handler {
  const { database } = module;
  return handle(listApprovals, async ({ operator, request: { status = 'waiting', kind, page }, now }) => {
    const [ms = '', id = ''] = (page ?? '').split('.');
    const rows = await listApprovalRows(
      database,
      status,
      { operator: operator.id, roles: operator.roles, kind: kind ?? null },
      ms === '' || id === '' ? null : { at: new Date(Number(ms)), id },
      PAGE + 1,
    );
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({
      items: await Promise.all(shown.map((row) => viewApproval(module, database, row, operator, now))),
      next: rows.length > PAGE && last ? `${last.made_at.getTime()}.${last.id}` : null,
      counts: await countApprovals(database, operator.id, operator.roles),
    });
  });
}
