import { closeIncident, listIncidents, openIncident, updateIncident } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { LANGUAGES } from '@sathorn/text';
import { type Handler, handle } from '../edge/index.ts';
import type { ApprovalKind } from '../operators/index.ts';
import { closeIncidentRow, insertIncident, insertUpdate, listIncidentRows, readIncidentRow } from './incident-store.ts';
import { DAY_MS, type StatusRoom } from './room.ts';
import { viewCase } from './view-incident.ts';

const LISTED_DAYS = 90;
const LISTED_MAX = 100;
const CLOSES_WITHIN_MS = 3 * DAY_MS;

type Written = Partial<Record<`text_${(typeof LANGUAGES)[number]}`, string | undefined>>;
const textsOf = (written: Written): Record<string, string> =>
  Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const words = written[`text_${language}`];
      return words === undefined ? [] : [[language, words]];
    }),
  );

export function listIncidentsHandler(room: StatusRoom): Handler {
  return handle(listIncidents, async ({ now }) => {
    const rows = await listIncidentRows(room.database, new Date(now.getTime() - LISTED_DAYS * DAY_MS), LISTED_MAX);
    return accept({ items: await Promise.all(rows.map((row) => viewCase(room, row))), next: null });
  });
}

export function openIncidentHandler(room: StatusRoom): Handler {
  const { database, operators } = room;
  return handle(openIncident, async ({ operator, request: { severity, parts, ...written }, intent }) => {
    const texts = textsOf(written);
    await database.transaction(async (transaction) => {
      if (!(await insertIncident(transaction, { id: intent.id, severity, parts, by: operator.id }))) return;
      await insertUpdate(transaction, { incident: intent.id, by: operator.id, texts });
      await operators.audit.append(transaction, {
        operator,
        what: 'incident.opened',
        on: { kind: 'incident', id: intent.id },
        after: { severity, parts, text: texts.en ?? '' },
      });
    });
    const row = await readIncidentRow(database, intent.id);
    if (!row) throw new Error('an incident that was opened is not there');
    return accept(await viewCase(room, row));
  });
}

export function updateIncidentHandler(room: StatusRoom): Handler {
  const { database, operators } = room;
  return handle(updateIncident, async ({ operator, request: { id, ...written } }) => {
    if (!(await readIncidentRow(database, id))) return refuse('incident_unknown', { field: 'id' });
    const texts = textsOf(written);
    const isKept = await database.transaction(async (transaction) => {
      if (!(await insertUpdate(transaction, { incident: id, by: operator.id, texts }))) return false;
      await operators.audit.append(transaction, {
        operator,
        what: 'incident.updated',
        on: { kind: 'incident', id },
        after: { text: texts.en ?? '' },
      });
      return true;
    });
    const row = await readIncidentRow(database, id);
    return isKept && row ? accept(await viewCase(room, row)) : refuse('incident_closed', { field: 'id' });
  });
}

export function closeIncidentHandler(room: StatusRoom): Handler {
  const { database, operators, checked } = room;
  return handle(closeIncident, async ({ operator, request: { id, ...written }, now }) => {
    const incident = await readIncidentRow(database, id);
    if (!incident) return refuse('incident_unknown', { field: 'id' });
    if (incident.closed_at) return refuse('incident_closed', { field: 'id' });
    const texts = textsOf(written);
    const isOutage = incident.severity === 'outage';
    if (isOutage && checked()?.halted) return refuse('check_still_red');
    const refusal = await database.transaction(async (transaction) => {
      if (isOutage) {
        if (await operators.findWaitingApproval(transaction, 'incident_close', id)) return 'already_waiting';
        await operators.approvals.open(transaction, {
          kind: 'incident_close',
          subject: id,
          fingerprintOf: { severity: incident.severity, parts: [...incident.parts], texts },
          need: 1,
          madeBy: operator.id,
          roles: ['compliance', 'finance', 'admin'],
          expiresAt: new Date(now.getTime() + CLOSES_WITHIN_MS),
        });
      } else {
        // Inserts the text first, because a closed incident accepts none.
        if (!(await insertUpdate(transaction, { incident: id, by: operator.id, texts }))) return 'incident_closed';
        await closeIncidentRow(transaction, id, null);
      }
      await operators.audit.append(transaction, {
        operator,
        what: isOutage ? 'incident.close_asked' : 'incident.closed',
        on: { kind: 'incident', id },
        after: { text: texts.en ?? '' },
      });
      return null;
    });
    if (refusal) return refuse(refusal);
    const row = await readIncidentRow(database, id);
    if (!row) throw new Error('an incident that was closed is not there');
    return accept(await viewCase(room, row));
  });
}

/** Closes an outage once the second person has approved it with the text that both have seen. */
export const incidentCloseKind: ApprovalKind = {
  async apply(transaction, { id, subject, content }, operator) {
    const { texts } = JSON.parse(content) as { texts: Record<string, string> };
    if (!(await insertUpdate(transaction, { incident: subject, by: operator.id, texts }))) return false;
    return closeIncidentRow(transaction, subject, id);
  },
  customerOf: () => null,
};
