import { removePayee } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { removeRow } from './payee-store.ts';
import type { PayeesRoom } from './room.ts';

/**
 * A GET that changes state, as the specification demands. The edge requires the token header and rejects requests from
 * other sites, pictures and prefetches. Repeating it changes nothing, because a removed id is unknown.
 */
export function removePayeeHandler(room: PayeesRoom): Handler {
  return handle(removePayee, async ({ request, customer, now }) => {
    const name = await removeRow(room.database, customer.id, request.id, now);
    if (name === null) return refuse('payee_unknown', { field: 'id' });
    await room.messages.send(customer.id, 'payee_removed', { name, at: now.toISOString() }, now).catch(room.onFault);
    return accept({});
  });
}
