import type pg from 'pg';
import { plainArray, type Queries, statement } from '../database/index.ts';
import type { ChainConfig } from './chain-config.ts';

/**
 * How many characters of the extended public key are stored beside each address, to show which key it is derived from.
 */
export const ADDRESS_MARK = 16;

const FIND = statement(
  'chain.find_address',
  'SELECT index, address FROM chain.address WHERE chain = $1 AND customer_id = $2',
);
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
const ANY = 'SELECT EXISTS (SELECT FROM chain.address) AS has';
const TRIES = 20;

/** Returns true if any customer has a deposit address; the house's wallet may then hold money. */
export async function hasAddresses(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(ANY);
  return rows[0]?.has === true;
}

export interface Addresses {
  /** The customer's deposit address in lower case, derived on the first request. */
  of(customer: bigint): Promise<string>;
  /** The owner of each address; addresses without an owner are absent. */
  ownersOf(addresses: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** Addresses with an index above `than`. */
  newer(than: number, queries?: Queries): Promise<{ index: number; address: string; customer: bigint }[]>;
}

/**
 * Customers' deposit addresses, each derived from the extended public key by its index (m/0/index). The derivation
 * library is loaded with the first address, because most processes never derive one.
 */
export function openAddresses(database: Queries, { code, xpub }: Pick<ChainConfig, 'code' | 'xpub'>): Addresses {
  const known = new Map<bigint, string>();
  const derive = async (index: number): Promise<string> => (await import('./derive.ts')).deriveAddress(xpub, index);

  const find = async (customer: bigint): Promise<string | undefined> => {
    const [row] = await database.query<{ index: number; address: string }>(FIND, [code, customer]);
    // Money sent to an address that somebody wrote into the table would be theirs.
    if (row && row.address !== (await derive(row.index)))
      throw new Error(`alarm: the address of customer ${customer} on ${code} is not derived from the house's key`);
    return row?.address;
  };

  const make = async (customer: bigint): Promise<string> => {
    for (let n = 0; n < TRIES; n += 1) {
      const [next] = await database.query<{ index: number }>(NEXT, [code]);
      const index = next?.index ?? 0;
      // Another customer may have taken the index at the same time. Then the insert does nothing, and the next index is
      // tried.
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
