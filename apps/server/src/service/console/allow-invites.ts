import { allowInvites } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';

export function allowInvitesHandler({ database, customers, operators }: ConsoleModule): Handler {
  return handle(allowInvites, async ({ operator, request: { id, allowed, reason } }) => {
    const customer = await customers.read(id);
    if (!customer) return refuse('customer_unknown', { field: 'id' });
    await database.transaction(async (transaction) => {
      await customers.setInviteAllowed(transaction, id, allowed === 'yes');
      await operators.audit.append(transaction, {
        operator,
        what: 'customer.invites_changed',
        on: { kind: 'customer', id: String(id) },
        customer: id,
        before: { allowed: customer.invite_allowed },
        after: { allowed: allowed === 'yes' },
        note: reason,
      });
    });
    return accept({});
  });
}
