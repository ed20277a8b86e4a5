import { renamePayee } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { renamePayeeRow } from './payee-store.ts';
import type { PayeesModule } from './payees.ts';

export function renamePayeeHandler(module: PayeesModule): Handler {
  return handle(renamePayee, async ({ request, customer }) =>
    (await renamePayeeRow(module.database, customer.id, request.id, request.name))
      ? accept({})
      : refuse('payee_unknown', { field: 'id' }),
  );
}
