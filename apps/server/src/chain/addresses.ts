import { plainArray, type Queries, statement } from '../database/index.ts';
import type { ChainConfig } from './chain-config.ts';

/** How much of an extended public key is kept beside an address. */
export const ADDRESS_MARK = 16;

const FIND = statement('chain.find_address', 'SELECT address FROM chain.address WHERE chain = $1 AND customer_id = $2');
const NEXT = statement(
  'chain.next_index',
  `SELECT coalesce(max(index) + 1, 0) AS index FROM chain.address
   WHERE chain = $1`,
);
const KEEP = statement(
  'chain.keep_address',
  `INSERT INTO chain.address (chain, customer_id, index, address, xpub_mark) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING`,
);
const NEWER = statement(
  'chain.newer_addresses',
  'SELECT index, address, customer_id FROM chain.address WHERE chain = $1 AND index > $2 ORDER BY index',
);
const OWNERS = statement(
  'chain.owners_of_addresses',
  'SELECT address, customer_id FROM chain.address WHERE chain = $1 AND address = ANY ($2::text[])',
);
const TRIES = 20;

export interface Addresses {
  /** The customer's own, made when it is asked for the first time; in lower case. */
  of(customer: bigint): Promise<string>;
  /** Whose these are; those of nobody are absent. */
  ownersOf(addresses: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** Those that were given out since the last time it was asked, by their index. */
  newer(than: number, queries?: Queries): Promise<{ index: number; address: string; customer: bigint }[]>;
}

/**
 * Addresses of customers, each the child of its index below the extended public key (m/0/index). The library that
 * derives is loaded when the first address is made: most processes never make one.
 */
export function openAddresses(database: Queries, { code, xpub }: Pick<ChainConfig, 'code' | 'xpub'>): Addresses {
  const known = new Map<bigint, string>();
  const derive = async (index: number): Promise<string> => (await import('./derive.ts')).deriveAddress(xpub, index);

  const find = async (customer: bigint): Promise<string | undefined> => {
    const [row] = await database.query<{ address: string }>(FIND, [code, customer]);
    return row?.address;
  };

  const make = async (customer: bigint): Promise<string> => {
    for (let n = 0; n < TRIES; n += 1) {
      const [next] = await database.query<{ index: number }>(NEXT, [code]);
      const index = next?.index ?? 0;
      // Another customer may have taken the index in between: then nothing was kept, and the next one is tried.
      await database.query(KEEP, [code, customer, index, await derive(index), xpub.slice(0, ADDRESS_MARK)]);
      const address = await find(customer);
      if (address !== undefined) return address;
    }
    throw new Error('no index is left for an address');
  };

  return {
    async of(customer) {
      const address = known.get(customer) ?? (await find(customer)) ?? (await make(customer));
      known.set(customer, address);
      return address;
    },
    async ownersOf(addresses) {
      const rows = await database.query<{ address: string; customer_id: bigint }>(OWNERS, [
        code,
        plainArray(addresses),
      ]);
      return new Map(rows.map(({ address, customer_id }) => [address, customer_id]));
    },
    async newer(than, queries = database) {
      const rows = await queries.query<{ index: number; address: string; customer_id: bigint }>(NEWER, [code, than]);
      return rows.map(({ index, address, customer_id: customer }) => ({ index, address, customer }));
    },
  };
}
