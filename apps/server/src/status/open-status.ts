import type { Module } from '../module.ts';
import { listFameHandler } from './list-fame.ts';
import { readFiguresHandler } from './read-figures.ts';
import { readStatusHandler } from './read-status.ts';
import type { StatusRoom } from './room.ts';
import {
  closeIncidentHandler,
  incidentCloseKind,
  listIncidentsHandler,
  openIncidentHandler,
  updateIncidentHandler,
} from './write-incident.ts';

/** The platform's public pages: status, figures, incidents. */
export function openStatus(room: StatusRoom): Module<null> {
  room.operators.addApprovalKind('incident_close', incidentCloseKind);
  return {
    api: null,
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
