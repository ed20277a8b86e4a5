import type pg from 'pg';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';
import type { ChainConfig } from './chain-config.ts';

/**
 * How many characters of the extended public key are stored beside each address, to show from which key it was derived.
 */
const XPUB_MARK_CHARACTERS = 16;

const FIND = statement(
  'chain.find_address',
  'SELECT index, address FROM chain.address WHERE chain = $1 AND customer_id = $2',
);
const NEXT = statement('chain.next_index', 'SELECT chain.next_index($1) AS index');
const SKIP = statement(
  'chain.skip_index',
  `INSERT INTO chain.skipped (chain, from_index, to_index, reason) VALUES ($1, $2, $2, 'used') ON CONFLICT DO NOTHING`,
);
const LEFT_OUT = statement(
  'chain.left_out',
  'SELECT from_index, least(to_index, from_index + $3 - 1) AS to_index FROM chain.skipped WHERE chain = $1 AND from_index > $2 ORDER BY from_index',
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
  'SELECT index, address, customer_id FROM chain.address WHERE chain = $1 AND address = ANY ($2::text[])',
);
const ANY = 'SELECT EXISTS (SELECT FROM chain.address) AS has';
const TRIES = 20;
/** Addresses at the start of each skipped range that are watched, because a restoration lost their owners. */
const WATCHED_OF_RANGE = 2_000;
/** Deriving an address takes about a millisecond; this many at a time do not delay the reader of the chain. */
const DERIVED_AT_ONCE = 100;

/** Returns true if any customer has a deposit address; the house's wallet may then hold money. */
export async function hasDepositAddresses(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(ANY);
  return rows[0]?.has === true;
}

export interface DepositAddresses {
  /**
   * The customer's deposit address in lower case, derived on the first request. Null while no new address may be given
   * out: from a restoration until two people have reconciled the books with the chain.
   */
  find(customer: bigint): Promise<string | null>;
  /** Like `find`, but throws while no new address may be given out. */
  of(customer: bigint): Promise<string>;
  /** The next watched addresses of skipped ranges, with their indexes. Each is returned once; empty at the end. */
  leftOut(): Promise<readonly (readonly [address: string, index: number])[]>;
  /** Those of these addresses that are in the table and not derived from the house's key: somebody wrote them there. */
  planted(addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** The owner of each address; addresses without an owner are absent. It throws if one is planted. */
  ownersOf(addresses: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** Addresses with an index above `than`. */
  newer(than: number, queries?: Queries): Promise<{ index: number; address: string; customer: bigint }[]>;
}

/**
 * Customers' deposit addresses, each derived from the extended public key by its index (m/0/index). The derivation
 * library is loaded with the first address, because most processes never derive one.
 */
export function openDepositAddresses(
  database: Queries,
  { code, xpub }: Pick<ChainConfig, 'code' | 'xpub'>,
  /** Returns true if the chain has seen the address. Such an address belongs to somebody and is never given out. */
  isUsed: (address: string) => Promise<boolean> = async () => false,
): DepositAddresses {
  const known = new Map<bigint, string>();
  /** Derived once: a row never changes. */
  const proven = new Set<string>();
  const derive = async (index: number): Promise<string> =>
    (await import('./derive-deposit-address.ts')).deriveDepositAddress(xpub, index);

  const read = async (customer: bigint): Promise<string | undefined> => {
    const [row] = await database.query<{ index: number; address: string }>(FIND, [code, customer]);
    // Somebody else may have written another address into the table; money sent there would be theirs.
    if (row && row.address !== (await derive(row.index)))
      throw new Error(`alarm: the address of customer ${customer} on ${code} is not derived from the house's key`);
    return row?.address;
  };

  const make = async (customer: bigint): Promise<string | null> => {
    for (let n = 0; n < TRIES; n += 1) {
      const [next] = await database.query<{ index: number | null }>(NEXT, [code]);
      const index = next?.index ?? null;
      if (index === null) return null;
      const derived = await derive(index);
      if (await isUsed(derived)) {
        await database.query(SKIP, [code, index]);
        continue;
      }
      // Another customer may have taken the index at the same time. Then the insert does nothing, and the next index is
      // tried.
      await database.query(KEEP, [code, customer, index, derived, xpub.slice(0, XPUB_MARK_CHARACTERS)]);
      const address = await read(customer);
      if (address !== undefined) return address;
    }
    throw new Error('no index is left for an address');
  };

  const find = async (customer: bigint): Promise<string | null> => {
    const address = known.get(customer) ?? (await read(customer)) ?? (await make(customer));
    if (address !== null) known.set(customer, address);
    return address;
  };

  const rowsOf = (addresses: readonly string[]) =>
    database.query<{ index: number; address: string; customer_id: bigint }>(OWNERS, [code, arrayLiteral(addresses)]);
  const plantedOf = async (rows: readonly { readonly index: number; readonly address: string }[]) => {
    for (const { index, address } of rows)
      if (!proven.has(address) && address === (await derive(index))) proven.add(address);
    return new Set(rows.map(({ address }) => address).filter((address) => !proven.has(address)));
  };

  /** Indexes of skipped ranges whose addresses are not derived yet, and the end of the last range that was read. */
  const toDerive: number[] = [];
  let rangesTo = -1;
  return {
    find,
    async of(customer) {
      const address = await find(customer);
      if (address === null) throw new Error('restored and not yet reconciled: no address is given out');
      return address;
    },
    async leftOut() {
      const ranges = await database.query<{ from_index: number; to_index: number }>(LEFT_OUT, [
        code,
        rangesTo,
        WATCHED_OF_RANGE,
      ]);
      for (const { from_index: from, to_index: to } of ranges) {
        rangesTo = from;
        for (let index = from; index <= to; index += 1) toDerive.push(index);
      }
      return Promise.all(
        toDerive.splice(0, DERIVED_AT_ONCE).map(async (index) => [await derive(index), index] as const),
      );
    },
    async planted(addresses) {
      const unproven = [...new Set(addresses)].filter((address) => !proven.has(address));
      return plantedOf(unproven.length === 0 ? [] : await rowsOf(unproven));
    },
    async ownersOf(addresses) {
      const rows = await rowsOf(addresses);
      const [planted] = await plantedOf(rows);
      // A customer who withdraws to it would pay whoever wrote it into the table.
      if (planted !== undefined)
        throw new Error(`alarm: ${planted} on ${code} is nobody's deposit address, though the table says so`);
      return new Map(rows.map(({ address, customer_id }) => [address, customer_id]));
    },
    async newer(than, queries = database) {
      const rows = await queries.query<{ index: number; address: string; customer_id: bigint }>(NEWER, [code, than]);
      return rows.map(({ index, address, customer_id: customer }) => ({ index, address, customer }));
    },
  };
}
