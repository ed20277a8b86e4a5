import { renewAccess } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askForOperatorChange, findOtherOperator } from './change-operator.ts';
import { newInvitation } from './enrolment-code.ts';
import type { OperatorsModule } from './operators.ts';

export function renewAccessHandler(module: OperatorsModule): Handler {
  return handle(renewAccess, async ({ operator, intent, request: { id, reason }, now }) => {
    const found = await findOtherOperator(module.database, operator, id);
    if (!found.ok) return found;
    const { work_name, roles, state, devices, fingerprint } = found.effect;
    const { link, content } = newInvitation(module.keys, module.consoleUrl, work_name, {
      intent: intent.id,
      state: fingerprint,
    });
    const asked = await askForOperatorChange(
      module,
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
