import { openIncident } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { faultOfAnnouncement } from '../../staff/staff-text.ts';
import { insertIncident, insertIncidentUpdate, readIncidentRow } from './incident-store.ts';
import { incidentTextsOf } from './incident-texts-of.ts';
import type { NewIncident, StatusDependencies } from './status.ts';
import { viewIncidentCase } from './view-incident.ts';

/** How many incidents one person may open per hour. More would hide those of others. */
const PER_HOUR = 10;

class Spent extends Error {}

/** Writes the incident and its entry in the operators' log; writes nothing if an earlier attempt of the request has. */
export async function writeIncident(
  { operators }: StatusDependencies,
  transaction: Queries,
  { id, severity, parts, texts, operator }: NewIncident,
): Promise<void> {
  if (!(await insertIncident(transaction, { id, severity, parts, by: operator.id }))) return;
  await insertIncidentUpdate(transaction, { incident: id, by: operator.id, texts });
  await operators.audit.append(transaction, {
    operator,
    what: 'incident.opened',
    on: { kind: 'incident', id },
    after: { severity, parts, texts },
  });
}

export function openIncidentHandler(module: StatusDependencies): Handler {
  const { database, operators } = module;
  return handle(openIncident, async ({ operator, request: { severity, parts, ...written }, intent }) => {
    const texts = incidentTextsOf(written);
    const fault = faultOfAnnouncement(texts);
    if (fault) return refuse(fault.code, { field: fault.field });
    try {
      await database.transaction(async (transaction) => {
        await writeIncident(module, transaction, { id: intent.id, severity, parts, texts, operator });
        // The count is taken under the log's lock, so each of many simultaneous incidents sees those before it.
        const { done } = await operators.countInHour(transaction, operator.id, 'incident.opened');
        if (done > PER_HOUR) throw new Spent();
      });
    } catch (error) {
      if (!(error instanceof Spent)) throw error;
      return refuse('hour_budget_spent', { params: { max: String(PER_HOUR) } });
    }
    const row = await readIncidentRow(database, intent.id);
    if (!row) throw new Error('an incident that was opened is not there');
    return accept(await viewIncidentCase(module, row));
  });
}
