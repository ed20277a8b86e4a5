import { messageCustomer } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { faultOfStaffText } from '../../staff/staff-text.ts';
import type { ConsoleModule } from './console.ts';

const PER_HOUR = 20;

class Spent extends Error {}

export function messageCustomerHandler({ database, customers, operators, messages }: ConsoleModule): Handler {
  return handle(messageCustomer, async ({ operator, request: { id, text }, now }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    const fault = faultOfStaffText(text);
    if (fault) return refuse(fault, { field: 'text' });
    let entry: bigint;
    try {
      entry = await database.transaction(async (transaction) => {
        const n = await operators.audit.append(transaction, {
          operator,
          what: 'customer.messaged',
          on: { kind: 'customer', id: String(id) },
          customer: id,
          note: text,
        });
        // The count is taken under the log's lock, so each of many simultaneous messages sees those before it.
        const { done } = await operators.countInHour(transaction, operator.id, 'customer.messaged');
        if (done > PER_HOUR) throw new Spent();
        return n;
      });
    } catch (error) {
      if (!(error instanceof Spent)) throw error;
      return refuse('hour_budget_spent', { params: { max: String(PER_HOUR) } });
    }
    // The message's id is derived from the log entry, so every entry sends exactly one notice.
    await messages.send(id, 'from_staff', { name: operator.workName, text }, now, String(entry));
    return accept({});
  });
}
