import { updateIncident } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { faultOfAnnouncement } from '../../staff/staff-text.ts';
import { insertIncidentUpdate, readIncidentRow } from './incident-store.ts';
import { incidentTextsOf } from './incident-texts-of.ts';
import type { StatusDependencies } from './status.ts';
import { viewIncidentCase } from './view-incident.ts';

export function updateIncidentHandler(module: StatusDependencies): Handler {
  const { database, operators } = module;
  return handle(updateIncident, async ({ operator, request: { id, ...written } }) => {
    if (!(await readIncidentRow(database, id))) return refuse('incident_unknown', { field: 'id' });
    const texts = incidentTextsOf(written);
    const fault = faultOfAnnouncement(texts);
    if (fault) return refuse(fault.code, { field: fault.field });
    const isKept = await database.transaction(async (transaction) => {
      if (!(await insertIncidentUpdate(transaction, { incident: id, by: operator.id, texts }))) return false;
      await operators.audit.append(transaction, {
        operator,
        what: 'incident.updated',
        on: { kind: 'incident', id },
        after: { texts },
      });
      return true;
    });
    const row = await readIncidentRow(database, id);
    return isKept && row ? accept(await viewIncidentCase(module, row)) : refuse('incident_closed', { field: 'id' });
  });
}
