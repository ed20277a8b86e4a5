import { removeApiKey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { listApiKeyRows, revokeApiKey } from './api-key-store.ts';

/** Needs no confirmation, so that a key that leaked is dead at once. */
export function removeApiKeyHandler(module: CustomersModule): Handler {
  const { database, apiKeys } = module;
  return handle(removeApiKey, async ({ request: { id }, customer, now }) => {
    const key = (await listApiKeyRows(database, customer.id)).find((own) => own.id === id);
    if (!key || !(await revokeApiKey(database, customer.id, id, now)))
      return refuse('api_key_unknown', { field: 'id' });
    apiKeys.forget(id);
    await notifyCustomer(module, customer.id, 'api_key_removed', { name: key.name, at: now.toISOString() }, now);
    return accept({});
  });
}
