import { endSession } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function endSessionHandler({ database, sessions }: CustomersModule): Handler {
  return handle(endSession, async ({ request, customer, now }) => {
    // Answers the same for another customer's session, an ended one and one that never existed.
    if (!UUID.test(request.id)) return refuse('session_unknown', { field: 'id' });
    const ended = await database.transaction((transaction) =>
      sessions.end(transaction, customer.id, { only: request.id }, 'customer', now),
    );
    if (ended.length === 0) return refuse('session_unknown', { field: 'id' });
    sessions.announceEnded(ended);
    return accept({});
  });
}
