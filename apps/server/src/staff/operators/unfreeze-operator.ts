import { unfreezeOperator } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askForOperatorChange, findOtherOperator } from './change-operator.ts';
import type { OperatorsModule } from './operators.ts';

export function unfreezeOperatorHandler(module: OperatorsModule): Handler {
  return handle(unfreezeOperator, async ({ operator, request: { id, reason }, now }) => {
    const found = await findOtherOperator(module.database, operator, id);
    if (!found.ok) return found;
    const { work_name, roles, state, fingerprint } = found.effect;
    if (state !== 'frozen') return refuse('nothing_changes');
    const content = { work_name, roles_now: roles.toSorted(), fingerprint };
    return askForOperatorChange(
      module,
      operator,
      { kind: 'operator_unfreeze', subject: String(id), content, reason },
      now,
    );
  });
}
