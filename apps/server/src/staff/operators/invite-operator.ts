import { inviteOperator } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askForOperatorChange } from './change-operator.ts';
import { newInvitation } from './enrolment-code.ts';
import { findOperator } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';

export function inviteOperatorHandler(module: OperatorsModule): Handler {
  const { database, keys, consoleUrl } = module;
  return handle(inviteOperator, async ({ operator, intent, request: { work_name, roles, customer, reason }, now }) => {
    if (await findOperator(database, work_name)) return refuse('name_taken', { field: 'work_name' });
    if (customer !== undefined && !(await module.isCustomer(BigInt(customer))))
      return refuse('customer_unknown', { field: 'customer' });
    const { link, content } = newInvitation(keys, consoleUrl, work_name, { intent: intent.id });
    const asked = await askForOperatorChange(
      module,
      operator,
      {
        kind: 'operator_invite',
        subject: work_name,
        content: { work_name, roles, ...(customer !== undefined && { customer }), ...content },
        reason,
      },
      now,
    );
    return asked.ok ? accept({ ...asked.effect, link }) : asked;
  });
}
