import { randomUUID } from 'node:crypto';
import type { Queries } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { closeIncidentHandler } from './close-incident.ts';
import { incidentCloseKind } from './incident-close-kind.ts';
import { type IncidentRow, listIncidentRows, readIncidentRow } from './incident-store.ts';
import { listFameHandler } from './list-fame.ts';
import { listIncidentsHandler } from './list-incidents.ts';
import { type NewIncident, openIncidentHandler, writeIncident } from './open-incident.ts';
import { readFiguresHandler } from './read-figures.ts';
import { readStatusHandler } from './read-status.ts';
import type { StatusRoom } from './room.ts';
import { statusPage } from './status-page.ts';
import { updateIncidentHandler } from './update-incident.ts';

/** The platform's public pages: status, figures, incidents. */
/** How many incidents a correction may choose from. */
const LISTED = 10;

export interface Status {
  /** Opens an incident in the transaction of the event that it reports. */
  openIncident(transaction: Queries, incident: Omit<NewIncident, 'id'>): Promise<void>;
  hasIncident(queries: Queries, id: string): Promise<boolean>;
  /** Open incidents, and those closed since the given time. */
  listIncidents(since: Date): Promise<readonly IncidentRow[]>;
}

export function openStatus(room: StatusRoom): Module<Status> {
  room.operators.addApprovalKind('incident_close', incidentCloseKind);
  return {
    api: {
      openIncident: (transaction, incident) => writeIncident(room, transaction, { id: randomUUID(), ...incident }),
      listIncidents: (since) => listIncidentRows(room.database, since, LISTED),
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
