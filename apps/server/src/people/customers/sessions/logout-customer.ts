import { logoutCustomer } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';

export function logoutCustomerHandler({ database, sessions }: CustomersModule): Handler {
  return handle(logoutCustomer, async ({ customer, now }) => {
    const ended = await database.transaction((transaction) =>
      sessions.end(transaction, customer.id, { only: customer.sessionId }, 'logout', now),
    );
    sessions.announceEnded(ended);
    return accept({});
  });
}
