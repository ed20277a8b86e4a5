import { randomUUID } from 'node:crypto';
import type { Module } from '../../platform/module.ts';
import { closeIncidentHandler } from './close-incident.ts';
import { incidentCloseKind } from './incident-close-kind.ts';
import { listIncidentRows, readIncidentRow } from './incident-store.ts';
import { listFameHandler } from './list-fame.ts';
import { listIncidentsHandler } from './list-incidents.ts';
import { openIncidentHandler, writeIncident } from './open-incident.ts';
import { readFiguresHandler } from './read-figures.ts';
import { readStatusHandler } from './read-status.ts';
import type { Status, StatusDependencies } from './status.ts';
import { statusPage } from './status-page.ts';
import { updateIncidentHandler } from './update-incident.ts';

/** The platform's public pages: status, figures, incidents. */
/** How many incidents a correction may choose from. */
const LISTED = 10;

export function openStatus(module: StatusDependencies): Module<Status> {
  module.operators.addApprovalKind('incident_close', incidentCloseKind);
  return {
    api: {
      openIncident: (transaction, incident) => writeIncident(module, transaction, { id: randomUUID(), ...incident }),
      listIncidents: (since) => listIncidentRows(module.database, since, LISTED),
      hasIncident: async (queries, id) => (await readIncidentRow(queries, id)) !== undefined,
    },
    pages: [statusPage(module)],
    handlers: [
      readStatusHandler(module),
      readFiguresHandler(module),
      listFameHandler(module),
      listIncidentsHandler(module),
      openIncidentHandler(module),
      updateIncidentHandler(module),
      closeIncidentHandler(module),
    ],
  };
}
