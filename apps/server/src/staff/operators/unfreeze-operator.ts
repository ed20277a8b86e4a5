import { unfreezeOperator } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askForChange, findOther } from './change-operator.ts';
import type { Room } from './room.ts';

export function unfreezeOperatorHandler(room: Room): Handler {
  return handle(unfreezeOperator, async ({ operator, request: { id, reason }, now }) => {
    const found = await findOther(room.database, operator, id);
    if (!found.ok) return found;
    const { work_name, roles, state, fingerprint } = found.effect;
    if (state !== 'frozen') return refuse('nothing_changes');
    const content = { work_name, roles_now: roles.toSorted(), fingerprint };
    return askForChange(room, operator, { kind: 'operator_unfreeze', subject: String(id), content, reason }, now);
  });
}
