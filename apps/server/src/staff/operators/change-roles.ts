import { changeRoles } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askForOperatorChange, findOtherOperator, isLastAdmin } from './change-operator.ts';
import type { OperatorsModule } from './operators.ts';

export function changeRolesHandler(module: OperatorsModule): Handler {
  return handle(changeRoles, async ({ operator, request: { id, roles, reason }, now }) => {
    const found = await findOtherOperator(module.database, operator, id);
    if (!found.ok) return found;
    const { work_name, roles: before, fingerprint } = found.effect;
    if (before.toSorted().join() === roles.join()) return refuse('nothing_changes', { field: 'roles' });
    if (await isLastAdmin(module.database, found.effect, roles)) return refuse('last_admin', { field: 'roles' });
    const content = { work_name, roles_now: before.toSorted(), roles, fingerprint };
    return askForOperatorChange(module, operator, { kind: 'operator_role', subject: String(id), content, reason }, now);
  });
}
