import { KEY_REFUSALS, listApiKeys } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { listRefusalRows } from './api-key-store.ts';
import { listOwnApiKeys, viewApiKey } from './api-keys.ts';

const BACK_MS = 30 * 24 * 60 * 60 * 1_000;
const REFUSALS_SHOWN = 50;
const REASONS = [...KEY_REFUSALS, 'too_many_requests'] as const;

export function listApiKeysHandler(module: CustomersModule): Handler {
  const { database, apiKeys } = module;
  return handle(listApiKeys, async ({ customer: { id: customer }, now }) => {
    await apiKeys.flush();
    const since = new Date(now.getTime() - BACK_MS);
    const [own, refusals] = await Promise.all([
      listOwnApiKeys(module, customer),
      listRefusalRows(database, customer, since, REFUSALS_SHOWN),
    ]);
    const names = new Map(own.map(({ id, name }) => [id, name]));
    return accept({
      items: own
        .filter(({ revoked_at: revokedAt, ends_at: endsAt }) => (revokedAt ?? endsAt) > since)
        .map((row) => viewApiKey(row, now)),
      refused: refusals.flatMap(({ key, refusal, address, first_at: firstAt, last_at: lastAt, count }) => {
        const [reason, name] = [REASONS.find((one) => one === refusal), names.get(key)];
        if (reason === undefined || name === undefined) return [];
        const [first_at, last_at] = [firstAt.toISOString(), lastAt.toISOString()];
        return [{ key, name, refusal: reason, address, first_at, last_at, count: Number(count) }];
      }),
    });
  });
}
