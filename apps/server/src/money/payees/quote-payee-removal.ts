import { quotePayeeRemoval } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findPayeeRow } from './payee-store.ts';
import type { PayeesModule } from './payees.ts';

export function quotePayeeRemovalHandler({ database }: PayeesModule): Handler {
  return handle(quotePayeeRemoval, async ({ request, customer }) => {
    const row = await findPayeeRow(database, customer.id, request.id);
    return row === null
      ? refuse('payee_unknown', { field: 'id' })
      : accept({ id: row.id, kind: row.kind, name: row.name });
  });
}
