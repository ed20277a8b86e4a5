import { arrayLiteral, type Connection, openDatabase, type Queries, statement } from '../../platform/database/index.ts';

/** An address with a role of the house. The owner lists `named` ones, such as a treasury or a cold wallet. */
export interface HouseAddress {
  readonly chain: string;
  readonly address: string;
  readonly role: 'wallet' | 'token' | 'named';
}

const DECLARE = statement(
  'chain.declare_house_address',
  'INSERT INTO chain.house_address (chain, address, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
/** Adds addresses. Runs as the owner, because the application must not decide which addresses are never paid. */
export async function declareHouseAddresses(owner: Connection, addresses: readonly HouseAddress[]): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  try {
    for (const { chain, address, role } of addresses) await database.query(DECLARE, [chain, address, role]);
  } finally {
    await database.close();
  }
}

/** The house's wallets that the database knows. */
export interface HouseWallets {
  /** Newest first. */
  readonly wallets: readonly Pick<HouseAddress, 'chain' | 'address'>[];
  /** True if any customer has a deposit address. */
  readonly hasAddresses: boolean;
}

const WALLETS = statement(
  'chain.known_wallets',
  `SELECT chain, address FROM chain.house_address WHERE role = 'wallet' ORDER BY since DESC`,
);
const HAS_ADDRESSES = statement('chain.has_addresses', 'SELECT EXISTS (SELECT FROM chain.address) AS has');

export async function readHouseWallets(owner: Connection): Promise<HouseWallets> {
  const database = openDatabase(owner, { connections: 1 });
  try {
    const wallets = await database.query<Pick<HouseAddress, 'chain' | 'address'>>(WALLETS);
    const [addresses] = await database.query<{ has: boolean }>(HAS_ADDRESSES);
    return { wallets, hasAddresses: addresses?.has === true };
  } finally {
    await database.close();
  }
}

const HOUSE_OF = statement(
  'chain.house_of',
  'SELECT address FROM unnest($2::text[]) AS address WHERE chain.is_house($1, address)',
);
/** Returns those of these addresses that have, or had, a role of the house. In lower case. */
export async function houseAddressesAmong(
  queries: Queries,
  chain: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await queries.query<{ address: string }>(HOUSE_OF, [chain, arrayLiteral(addresses)]);
  return new Set(rows.map(({ address }) => address));
}

const KEPT_OF = statement(
  'chain.kept_of',
  'SELECT address FROM unnest($1::text[]) AS address WHERE chain.is_kept(address)',
);
/** Returns those of these addresses that hold money of the house. In lower case. */
export async function custodyAddressesAmong(
  queries: Queries,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await queries.query<{ address: string }>(KEPT_OF, [arrayLiteral(addresses)]);
  return new Set(rows.map(({ address }) => address));
}
