import { removeDeviceKey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { revokeDeviceKey } from './device-key-store.ts';
import { listOwnDeviceKeys } from './device-keys.ts';

/** Needs no confirmation, so that the key of a lost phone is gone at once. A new one needs it. */
export function removeDeviceKeyHandler(module: CustomersModule): Handler {
  return handle(removeDeviceKey, async ({ request: { id }, customer, now }) => {
    const key = (await listOwnDeviceKeys(module, customer.id)).find((own) => own.id === id);
    if (!key || !(await revokeDeviceKey(module.database, customer.id, id, now)))
      return refuse('device_key_unknown', { field: 'id' });
    await notifyCustomer(module, customer.id, 'device_key_removed', { device: key.device, at: now.toISOString() }, now);
    return accept({});
  });
}
