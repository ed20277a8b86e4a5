import { renewAccess } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askForChange, findOther } from './change-operator.ts';
import { newInvitation } from './enrolment-code.ts';
import type { Room } from './room.ts';

export function renewAccessHandler(room: Room): Handler {
  return handle(renewAccess, async ({ operator, request: { id, reason }, now }) => {
    const found = await findOther(room.database, operator, id);
    if (!found.ok) return found;
    const { work_name, roles, state, devices, fingerprint } = found.effect;
    const { link, content } = newInvitation(room.keys, room.consoleUrl, work_name);
    const asked = await askForChange(
      room,
      operator,
      {
        kind: 'operator_device',
        subject: String(id),
        content: { work_name, roles_now: roles.toSorted(), state, devices: String(devices), fingerprint, ...content },
        reason,
      },
      now,
    );
    return asked.ok ? accept({ ...asked.effect, link }) : asked;
  });
}
