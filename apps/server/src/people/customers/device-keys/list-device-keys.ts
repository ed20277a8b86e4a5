import { listDeviceKeys } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { isActive } from './device-key-store.ts';
import { listOwnDeviceKeys } from './device-keys.ts';

export function listDeviceKeysHandler(module: CustomersModule): Handler {
  return handle(listDeviceKeys, async ({ customer }) => {
    const keys = await listOwnDeviceKeys(module, customer.id);
    return accept({
      items: keys
        .filter(isActive)
        .map(({ id, device, created_at: createdAt }) => ({ id, device, created_at: createdAt.toISOString() })),
    });
  });
}
