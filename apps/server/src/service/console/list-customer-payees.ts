import { listCustomerPayees } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { maskPayee } from './mask.ts';

export function listCustomerPayeesHandler({ database, customers, payees }: ConsoleModule): Handler {
  return handle(listCustomerPayees, async ({ request: { id } }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    return accept(
      (await payees.listOf(database, id)).map((payee) => ({
        id: payee.id,
        kind: payee.kind,
        name: payee.name,
        place: payee.kind === 'wallet' ? payee.chain : payee.bank,
        number: maskPayee(payee.kind === 'wallet' ? payee.address : payee.number),
        added_at: payee.addedAt.toISOString(),
        usable_from: payee.usableFrom.toISOString(),
      })),
    );
  });
}
