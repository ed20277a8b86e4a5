import { openIncident } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { insertIncident, insertUpdate, readIncidentRow } from './incident-store.ts';
import type { StatusRoom } from './room.ts';
import { textsOf } from './texts-of.ts';
import { viewCase } from './view-incident.ts';

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
