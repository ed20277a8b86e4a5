import { listOrdered } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { listOwnApiKeys } from '../api-keys/api-keys.ts';
import type { CustomersModule } from '../customers.ts';
import { isActive, readGiven } from './device-key-store.ts';
import { listOwnDeviceKeys, signedView } from './device-keys.ts';

const SHOWN = 100;
const BACK_MS = 30 * 24 * 60 * 60 * 1_000;

export function listOrderedHandler(module: CustomersModule): Handler {
  return handle(listOrdered, async ({ customer, now }) => {
    const keys = await listOwnDeviceKeys(module, customer.id);
    const [first] = keys;
    if (first === undefined) return accept({ keys: [], since: null, unsigned: 0, items: [] });
    const sinceMs = Math.max(first.created_at.getTime(), now.getTime() - BACK_MS);
    const names = new Map((await listOwnApiKeys(module, customer.id)).map(({ id, name }) => [id, name]));
    const given = { keys: keys.map(({ id }) => id), apiKeys: [...names.keys()] };
    const { rows, unsigned } = await readGiven(module.database, customer.id, given, { sinceMs, limit: SHOWN });
    return accept({
      keys: keys.filter(isActive).map(({ id }) => id),
      since: new Date(sinceMs).toISOString(),
      unsigned,
      items: rows.map((row) => ({
        about: row.about,
        id: row.id,
        at: new Date(Number(row.at_ms)).toISOString(),
        signed: row.key === null ? null : signedView(row, keys),
        by_key: row.api_key === null ? null : { id: row.api_key, name: names.get(row.api_key) ?? '' },
      })),
    });
  });
}
