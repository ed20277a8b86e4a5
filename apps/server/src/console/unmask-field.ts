import { unmaskField } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { has, type Room } from './room.ts';

/** How long the console shows the value. */
const SHOWN_MS = 5 * 60_000;
const PER_HOUR = { compliance: 30, support: 10 };

class Spent extends Error {}

export function unmaskFieldHandler({ database, customers, operators }: Room): Handler {
  return handle(unmaskField, async ({ operator, request: { id, field, reason }, now }) => {
    const customer = await customers.read(id);
    if (!customer) return refuse('customer_unknown', { field: 'id' });
    const max = has(operator, 'compliance') ? PER_HOUR.compliance : PER_HOUR.support;
    let left: number;
    try {
      left = await database.transaction(async (transaction) => {
        await operators.audit.append(transaction, {
          operator,
          what: 'customer.unmasked',
          on: { kind: 'customer', id: String(id) },
          customer: id,
          after: { field },
          note: reason,
        });
        // Counted while the log's lock is held, so that concurrent requests see each other.
        const { done } = await operators.countInHour(transaction, operator.id, 'customer.unmasked');
        if (done > max) throw new Spent();
        return max - done;
      });
    } catch (error) {
      if (!(error instanceof Spent)) throw error;
      return refuse('hour_budget_spent', { params: { max: String(max) } });
    }
    const values = {
      phone: customer.phone,
      email: customer.email,
      address: (await customers.sessions(id, now))[0]?.address ?? null,
    };
    return accept({ value: values[field], until: new Date(now.getTime() + SHOWN_MS).toISOString(), left });
  });
}
