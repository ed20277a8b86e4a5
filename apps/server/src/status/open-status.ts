import type { Module } from '../module.ts';
import { closeIncidentHandler } from './close-incident.ts';
import { incidentCloseKind } from './incident-close-kind.ts';
import { listFameHandler } from './list-fame.ts';
import { listIncidentsHandler } from './list-incidents.ts';
import { openIncidentHandler } from './open-incident.ts';
import { readFiguresHandler } from './read-figures.ts';
import { readStatusHandler } from './read-status.ts';
import type { StatusRoom } from './room.ts';
import { statusPage } from './status-page.ts';
import { updateIncidentHandler } from './update-incident.ts';

/** The platform's public pages: status, figures, incidents. */
export function openStatus(room: StatusRoom): Module<null> {
  room.operators.addApprovalKind('incident_close', incidentCloseKind);
  return {
    api: null,
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
