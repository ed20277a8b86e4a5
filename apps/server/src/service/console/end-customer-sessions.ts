import { endCustomerSessions } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';

export function endCustomerSessionsHandler({ database, customers, operators }: ConsoleModule): Handler {
  return handle(endCustomerSessions, async ({ operator, request: { id, session }, now }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    const ended = await database.transaction(async (transaction) => {
      const ids = await customers.endSessions(transaction, id, session ?? null, now);
      await operators.audit.append(transaction, {
        operator,
        what: 'customer.sessions_ended',
        on: { kind: 'customer', id: String(id) },
        customer: id,
        after: { sessions: String(ids.length) },
      });
      return ids;
    });
    customers.announceEnded(ended);
    return accept({ ended: ended.length });
  });
}
