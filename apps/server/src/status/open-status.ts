import { randomUUID } from 'node:crypto';
import type { Queries } from '../database/index.ts';
import type { Module } from '../module.ts';
import { closeIncidentHandler } from './close-incident.ts';
import { incidentCloseKind } from './incident-close-kind.ts';
import { type IncidentRow, insertIncident, insertUpdate, readIncidentRow, type Texts } from './incident-store.ts';
import { listFameHandler } from './list-fame.ts';
import { listIncidentsHandler } from './list-incidents.ts';
import { openIncidentHandler } from './open-incident.ts';
import { readFiguresHandler } from './read-figures.ts';
import { readStatusHandler } from './read-status.ts';
import type { StatusRoom } from './room.ts';
import { statusPage } from './status-page.ts';
import { updateIncidentHandler } from './update-incident.ts';

/** The platform's public pages: status, figures, incidents. */
export interface Status {
  /** Opens an incident in the transaction of the event that it reports. */
  openIncident(
    transaction: Queries,
    incident: {
      readonly severity: IncidentRow['severity'];
      readonly parts: IncidentRow['parts'];
      readonly texts: Texts;
      readonly by: bigint;
    },
  ): Promise<void>;
  hasIncident(queries: Queries, id: string): Promise<boolean>;
}

export function openStatus(room: StatusRoom): Module<Status> {
  room.operators.addApprovalKind('incident_close', incidentCloseKind);
  return {
    api: {
      async openIncident(transaction, { severity, parts, texts, by }) {
        const id = randomUUID();
        await insertIncident(transaction, { id, severity, parts, by });
        await insertUpdate(transaction, { incident: id, by, texts });
      },
      hasIncident: async (queries, id) => (await readIncidentRow(queries, id)) !== undefined,
    },
    pages: [statusPage(room)],
    handlers: [
      readStatusHandler(room),
      readFiguresHandler(room),
      listFameHandler(room),
      listIncidentsHandler(room),
      openIncidentHandler(room),
      updateIncidentHandler(room),
      closeIncidentHandler(room),
    ],
  };
}
