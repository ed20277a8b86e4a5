import { openEvidenceStore } from './evidence-store.ts';

/** What this device signed, by idempotency key, oldest first: the record's id, or null before the answer. */
export type KeptOrders = Readonly<Record<string, string | null>>;

const PREFIX = 'ordered:';
const KEPT_MAX = 500;

export async function readKeptOrders(customer: string): Promise<KeptOrders> {
  const value = await openEvidenceStore().read(PREFIX + customer);
  return typeof value === 'object' && value !== null ? (value as KeptOrders) : {};
}

let writing = Promise.resolve();

/** Keeps the newest, one write after the other. */
export function keepOrder(customer: string, intent: string, id: string | null): Promise<void> {
  writing = writing
    .then(async () => {
      const kept = Object.entries({ ...(await readKeptOrders(customer)), [intent]: id }).slice(-KEPT_MAX);
      await openEvidenceStore().write(PREFIX + customer, Object.fromEntries(kept));
    })
    .catch(() => undefined);
  return writing;
}
