import type { KeyObject } from 'node:crypto';
import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';
import type { SafeFacts } from './read-safe.ts';

const COLUMNS = {
  chain: column.text<string>(),
  height: column.bigint,
  block_hash: column.text<string>(),
  at: column.time,
  /** In units of the token. */
  safe: column.numeric,
  hot: column.numeric,
  addresses: column.numeric,
  version: column.text<string>(),
  owners: column.list('owners'),
  threshold: column.integer,
  nonce: column.bigint,
  modules: column.list('modules'),
  guard: column.nullable(column.text<string>()),
};
/** What the chain says of the three places of money and of the Safe, at one block. */
export type TreasuryStateRow = RowOf<typeof COLUMNS>;
const STATES = table<TreasuryStateRow>(COLUMNS);

const STORE = statement(
  'treasury.store_state',
  `INSERT INTO treasury.state (chain, height, block_hash, at, safe, hot, addresses, version, owners, threshold, nonce, modules, guard, seal)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10, $11, $12::text[], $13, $14::uuid WHERE EXISTS (SELECT FROM treasury.safe WHERE chain = $1)
   ON CONFLICT (chain) DO UPDATE SET height = excluded.height, block_hash = excluded.block_hash, at = excluded.at, safe = excluded.safe,
     hot = excluded.hot, addresses = excluded.addresses, version = excluded.version, owners = excluded.owners,
     threshold = excluded.threshold, nonce = excluded.nonce, modules = excluded.modules, guard = excluded.guard, seal = excluded.seal`,
);
const READ = statement('treasury.read_state', `SELECT ${STATES.names} FROM treasury.state WHERE chain = $1`);

/** Stores it with the watcher's seal, which the checker verifies (TR6). */
export async function storeTreasuryState(
  queries: Queries,
  seen: SafeFacts & {
    readonly chain: string;
    readonly height: number;
    readonly hash: string;
    readonly at: Date;
    /** What the Safe holds, in units of the token. */
    readonly units: bigint;
    readonly hot: bigint;
    readonly addresses: bigint;
  },
  key: KeyObject,
): Promise<void> {
  const { chain, height, hash, at, units, hot, addresses, version, owners, threshold, nonce, modules, guard } = seen;
  const said = [chain, height, hash, units, hot, addresses, version, owners, threshold, nonce, modules, guard ?? ''];
  await queries.query(STORE, [
    chain,
    height,
    hash,
    at,
    units,
    hot,
    addresses,
    version,
    arrayLiteral(owners),
    threshold,
    nonce,
    arrayLiteral(modules),
    guard,
    rowSeal(key, said.join(' ')),
  ]);
}

/** Null before the first block was read. */
export async function readTreasuryState(queries: Queries, chain: string): Promise<TreasuryStateRow | null> {
  return (await STATES.query(queries, READ, [chain]))[0] ?? null;
}
