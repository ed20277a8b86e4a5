import { listOrderMarks } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { listMarkRows } from './device-key-store.ts';
import { listOwnDeviceKeys, signedView } from './device-keys.ts';

export function listOrderMarksHandler(module: CustomersModule): Handler {
  return handle(listOrderMarks, async ({ request: { ids }, customer }) => {
    const keys = await listOwnDeviceKeys(module, customer.id);
    const ofKeys = keys.map(({ id }) => id);
    const rows = await listMarkRows(module.database, customer.id, ofKeys, ids);
    return accept({ items: rows.map((row) => ({ id: row.id, signed: signedView(row, keys) })) });
  });
}
