import { closeIncident } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ProposalRefusal } from '../../staff/operators/index.ts';
import { faultOfAnnouncement } from '../../staff/staff-text.ts';
import { DAY_MS } from './day.ts';
import { closeIncidentRow, insertIncidentUpdate, readIncidentRow } from './incident-store.ts';
import { incidentTextsOf } from './incident-texts-of.ts';
import type { StatusDependencies } from './status.ts';
import { viewIncidentCase } from './view-incident.ts';

const CLOSES_WITHIN_MS = 3 * DAY_MS;
type Refusal = ProposalRefusal | 'already_waiting' | 'incident_closed';

export function closeIncidentHandler(module: StatusDependencies): Handler {
  const { database, operators, checked } = module;
  return handle(closeIncident, async ({ operator, request: { id, step_up: _signed, ...written }, now }) => {
    const incident = await readIncidentRow(database, id);
    if (!incident) return refuse('incident_unknown', { field: 'id' });
    if (incident.closed_at) return refuse('incident_closed', { field: 'id' });
    const texts = incidentTextsOf(written);
    const fault = faultOfAnnouncement(texts);
    if (fault) return refuse(fault.code, { field: fault.field });
    const isOutage = incident.severity === 'outage';
    if (isOutage && checked()?.halted) return refuse('check_still_red');
    const closed = await database.transaction(async (transaction): Promise<Decision<null, Refusal>> => {
      if (isOutage) {
        if (await operators.findWaitingApproval(transaction, 'incident_close', id)) return refuse('already_waiting');
        const opened = await operators.approvals.propose(transaction, operator, {
          kind: 'incident_close',
          subject: id,
          fingerprintOf: { severity: incident.severity, parts: [...incident.parts], texts },
          roles: ['compliance', 'finance', 'admin'],
          expiresAt: new Date(now.getTime() + CLOSES_WITHIN_MS),
        });
        if (!opened.ok) return opened;
      } else {
        // Inserts the text first, because a closed incident accepts none.
        if (!(await insertIncidentUpdate(transaction, { incident: id, by: operator.id, texts })))
          return refuse('incident_closed');
        await closeIncidentRow(transaction, id, null);
      }
      await operators.audit.append(transaction, {
        operator,
        what: isOutage ? 'incident.close_asked' : 'incident.closed',
        on: { kind: 'incident', id },
        after: { texts },
      });
      return accept(null);
    });
    if (!closed.ok) return closed;
    const row = await readIncidentRow(database, id);
    if (!row) throw new Error('an incident that was closed is not there');
    return accept(await viewIncidentCase(module, row));
  });
}
