import { endSession } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function endSessionHandler({ database, sessions }: CustomersModule): Handler {
  return handle(endSession, async ({ request, customer, now }) => {
    // Another customer's session, one that has ended and one that never was get the same answer.
    if (!UUID.test(request.id)) return refuse('session_unknown', { field: 'id' });
    const ended = await database.transaction((transaction) =>
      sessions.end(transaction, customer.id, { only: request.id }, 'customer', now),
    );
    if (ended.length === 0) return refuse('session_unknown', { field: 'id' });
    sessions.announceEnded(ended);
    return accept({});
  });
}
