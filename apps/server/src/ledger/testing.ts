import type { Eligibility } from './index.ts';

/** The customers in the set are frozen; their journals fail as in the database. */
export const eligibilityWithFrozen = (frozen: ReadonlySet<bigint>): Eligibility => ({
  readFrozen: async (_queries, customers) => new Set(customers.filter((customer) => frozen.has(customer))),
  refuseFrozen: async (queries, customers) => {
    if (customers.some((customer) => frozen.has(customer)))
      await queries.query({ name: 'test.refuse_frozen', text: 'SELECT 1 / 0' });
  },
});
