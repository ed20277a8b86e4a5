import { removePayee } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { removeRow } from './payee-store.ts';
import type { PayeesRoom } from './room.ts';

/**
 * A GET that changes something, as the specification has it. The edge demands the token header and refuses what another
 * site, a picture or a prefetch sends; an id that was removed is unknown, so a repeated request changes nothing.
 */
export function removePayeeHandler(room: PayeesRoom): Handler {
  return handle(removePayee, async ({ request, customer, now }) => {
    const name = await removeRow(room.database, customer.id, request.id, now);
    if (name === null) return refuse('payee_unknown', { field: 'id' });
    await room.messages.send(customer.id, 'payee_removed', { name, at: now.toISOString() }, now).catch(room.onFault);
    return accept({});
  });
}
