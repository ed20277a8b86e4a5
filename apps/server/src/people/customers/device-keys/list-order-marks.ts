import { listOrderMarks } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { listApiOrderRows } from '../api-keys/api-key-store.ts';
import { keyedView, listOwnApiKeys } from '../api-keys/api-keys.ts';
import type { CustomersModule } from '../customers.ts';
import { listMarkRows } from './device-key-store.ts';
import { listOwnDeviceKeys, signedView } from './device-keys.ts';

export function listOrderMarksHandler(module: CustomersModule): Handler {
  return handle(listOrderMarks, async ({ request: { ids }, customer }) => {
    const keys = await listOwnDeviceKeys(module, customer.id);
    const ofKeys = keys.map(({ id }) => id);
    const [signed, keyed, apiKeys] = await Promise.all([
      listMarkRows(module.database, customer.id, ofKeys, ids),
      listApiOrderRows(module.database, customer.id, ids),
      listOwnApiKeys(module, customer.id),
    ]);
    const items = ids.flatMap((id) => {
      const [byDevice, byKey] = [signed.find((row) => row.id === id), keyed.find((row) => row.id === id)];
      const mark = {
        id,
        signed: byDevice ? signedView(byDevice, keys) : null,
        keyed: byKey ? keyedView(byKey, apiKeys) : null,
      };
      return mark.signed === null && mark.keyed === null ? [] : [mark];
    });
    return accept({ items });
  });
}
