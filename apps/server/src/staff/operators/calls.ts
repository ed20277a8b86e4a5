import {
  approveApproval,
  freezeOperator,
  leaveClaim,
  listClaims,
  logoutOperator,
  readLogHead,
  removeOperator,
  takeClaim,
  takeOverClaim,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { castVote } from './cast-vote.ts';
import { leaveClaimRow, listClaimRows, takeClaimRow, viewClaim } from './claims.ts';
import { readAuditHead } from './entry-store.ts';
import type { OperatorsModule } from './operators.ts';
import { stopOperator } from './stop-operator.ts';

export const operatorCalls = (module: OperatorsModule): Handler[] => [
  handle(approveApproval, async ({ operator, request: { id, fingerprint, note }, now }) =>
    castVote(module, operator, { id, fingerprint, decision: 'approve', note }, now),
  ),
  handle(freezeOperator, async ({ operator, request }) => stopOperator(module, operator, 'freeze', request)),
  handle(leaveClaim, async ({ operator, request }) => {
    await leaveClaimRow(module.database, request.kind, request.id, operator.id);
    return accept({});
  }),
  handle(listClaims, async ({ now }) =>
    accept(
      (await listClaimRows(module.database, now)).map((row) => ({
        kind: row.kind,
        id: row.subject,
        ...viewClaim(row),
      })),
    ),
  ),
  handle(logoutOperator, async ({ operator, now }) => {
    await module.sessions.end(operator.sessionId, 'logout', now);
    return accept({});
  }),
  handle(readLogHead, async () => {
    const { n, hash } = await readAuditHead(module.database);
    return accept({ n: String(n), hash: hash.toString('hex') });
  }),
  handle(removeOperator, async ({ operator, request }) => stopOperator(module, operator, 'remove', request)),
  handle(takeClaim, async ({ operator, request, now }) => {
    const claim = { ...request, operator: operator.id, isByForce: false };
    const row = await takeClaimRow(module.database, claim, now);
    if (row.operator !== operator.id) return refuse('taken_by_other', { params: { by: row.work_name } });
    return accept(viewClaim(row));
  }),
  handle(takeOverClaim, async ({ operator, request: { kind, id, reason }, now }) =>
    module.database.transaction(async (transaction) => {
      const row = await takeClaimRow(transaction, { kind, id, operator: operator.id, isByForce: true }, now);
      await module.audit.append(transaction, { operator, what: 'claim.taken_over', on: { kind, id }, note: reason });
      return accept(viewClaim(row));
    }),
  ),
];
