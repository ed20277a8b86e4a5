import { listIncidents } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { DAY_MS } from './day.ts';
import { listIncidentRows } from './incident-store.ts';
import type { StatusDependencies } from './status.ts';
import { viewIncidentCase } from './view-incident.ts';

const LISTED_DAYS = 90;
const LISTED_MAX = 100;

export function listIncidentsHandler(module: StatusDependencies): Handler {
  return handle(listIncidents, async ({ now }) => {
    const rows = await listIncidentRows(module.database, new Date(now.getTime() - LISTED_DAYS * DAY_MS), LISTED_MAX);
    return accept({ items: await Promise.all(rows.map((row) => viewIncidentCase(module, row))), next: null });
  });
}
