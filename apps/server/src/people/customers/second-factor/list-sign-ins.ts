import { listSignIns } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { listSignInRows } from './sign-in-store.ts';

const PAGE = 30;

/** Shows row ids encrypted, because they are sequential over all customers. */
export function listSignInsHandler({ database, opaqueIds }: CustomersModule): Handler {
  return handle(listSignIns, async ({ request: { page = '' }, customer }) => {
    // The specification's page numbers start the list; only our own `next` continues it.
    const before = /^[A-Za-z0-9_-]{22}$/.test(page) ? opaqueIds.open(page) : null;
    const rows = await listSignInRows(database, customer.id, before, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({
      items: shown.map((row) => ({
        id: opaqueIds.seal(row.id),
        at: row.at.toISOString(),
        device: row.device,
        address: row.address,
        factor: row.factor,
        new_device: row.is_new_device,
        failure: row.failure,
      })),
      next: rows.length > PAGE && last ? opaqueIds.seal(last.id) : null,
    });
  });
}
