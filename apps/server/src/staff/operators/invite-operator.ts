import { inviteOperator } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askForChange } from './change-operator.ts';
import { newInvitation } from './enrolment-code.ts';
import { findOperator } from './operator-store.ts';
import type { Room } from './room.ts';

export function inviteOperatorHandler(room: Room): Handler {
  const { database, keys, consoleUrl } = room;
  return handle(inviteOperator, async ({ operator, request: { work_name, roles, customer, reason }, now }) => {
    if (await findOperator(database, work_name)) return refuse('name_taken', { field: 'work_name' });
    if (customer !== undefined && !(await room.isCustomer(BigInt(customer))))
      return refuse('customer_unknown', { field: 'customer' });
    const { link, content } = newInvitation(keys, consoleUrl, work_name);
    const asked = await askForChange(
      room,
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
