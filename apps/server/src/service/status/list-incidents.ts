import { listIncidents } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listIncidentRows } from './incident-store.ts';
import { DAY_MS, type StatusRoom } from './room.ts';
import { viewCase } from './view-incident.ts';

const LISTED_DAYS = 90;
const LISTED_MAX = 100;

export function listIncidentsHandler(room: StatusRoom): Handler {
  return handle(listIncidents, async ({ now }) => {
    const rows = await listIncidentRows(room.database, new Date(now.getTime() - LISTED_DAYS * DAY_MS), LISTED_MAX);
    return accept({ items: await Promise.all(rows.map((row) => viewCase(room, row))), next: null });
  });
}
