import type { KeyObject } from 'node:crypto';
import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';

export interface ChainCursor {
  readonly version: bigint;
  readonly scanned: number;
  readonly head: number;
  /** The last block that the second scan has read. */
  readonly rescanned: number;
}
const CURSOR = table<ChainCursor>({
  version: column.bigint,
  scanned: column.number,
  head: column.number,
  // The column still has its original name.
  rescanned: column.computed('combed', column.number),
});
const READ_CURSOR = statement('deposits.read_cursor', `SELECT ${CURSOR.names} FROM deposits.cursor WHERE chain = $1`);
const MAKE_CURSOR = statement(
  'deposits.make_cursor',
  `INSERT INTO deposits.cursor (chain, scanned, head, combed) VALUES ($1, $2, $2, $2) ON CONFLICT DO NOTHING`,
);
const MOVE_CURSOR = statement(
  'deposits.move_cursor',
  `UPDATE deposits.cursor SET version = version + 1, scanned = $3, head = $4, combed = $5, updated_at = clock_timestamp()
   WHERE chain = $1 AND version = $2 RETURNING version`,
);

export async function readChainCursor(queries: Queries, chain: string, firstBlock: number): Promise<ChainCursor> {
  const [row] = await CURSOR.query(queries, READ_CURSOR, [chain]);
  if (row) return row;
  await queries.query(MAKE_CURSOR, [chain, firstBlock - 1]);
  return readChainCursor(queries, chain, firstBlock);
}

/** Another process has become the watcher, so this one must discard what it has read. */
export class WatcherLeaseLostError extends Error {}

/** Runs in the transaction that stores what was read, so that neither exists without the other. */
export async function moveChainCursor(
  queries: Queries,
  chain: string,
  from: ChainCursor,
  to: Omit<ChainCursor, 'version'>,
): Promise<ChainCursor> {
  const [row] = await queries.query<{ version: bigint }>(MOVE_CURSOR, [
    chain,
    from.version,
    to.scanned,
    to.head,
    to.rescanned,
  ]);
  if (row === undefined) throw new WatcherLeaseLostError('another watcher has moved the cursor');
  return { ...to, version: row.version };
}

const READ_CHECKPOINTS = statement(
  'deposits.read_checkpoints',
  'SELECT height, hash FROM deposits.checkpoint WHERE chain = $1 ORDER BY height DESC',
);
const KEEP_CHECKPOINT = statement(
  'deposits.keep_checkpoint',
  'INSERT INTO deposits.checkpoint (chain, height, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
const DROP_CHECKPOINTS = statement(
  'deposits.drop_checkpoints',
  'DELETE FROM deposits.checkpoint WHERE chain = $1 AND (height > $2 OR height < $3)',
);

export interface BlockCheckpoint {
  readonly height: number;
  readonly hash: string;
}
/** Newest first. */
export async function readCheckpoints(queries: Queries, chain: string): Promise<BlockCheckpoint[]> {
  const rows = await queries.query<{ height: bigint; hash: string }>(READ_CHECKPOINTS, [chain]);
  return rows.map(({ height, hash }) => ({ height: Number(height), hash }));
}
export async function storeCheckpoint(
  queries: Queries,
  chain: string,
  { height, hash }: BlockCheckpoint,
): Promise<void> {
  await queries.query(KEEP_CHECKPOINT, [chain, height, hash]);
}
/** Deletes the checkpoints outside `from` to `to`, both inclusive. */
export async function dropCheckpoints(queries: Queries, chain: string, from: number, to: number): Promise<void> {
  await queries.query(DROP_CHECKPOINTS, [chain, to, from]);
}

const HOT_COLUMNS = {
  chain: column.text<string>(),
  hash: column.text<string>(),
  output: column.integer,
  direction: column.text<'in' | 'out' | 'sweep'>(),
  sender: column.text<string>(),
  receiver: column.text<string>(),
  amount: column.money('USDT'),
  block_height: column.bigint,
  block_hash: column.text<string>(),
};
export type HotTransfer = RowOf<typeof HOT_COLUMNS>;
const HOT = table<HotTransfer>(HOT_COLUMNS);
const SEALED_HOT = table<HotTransfer & { readonly seal: string }>({ ...HOT_COLUMNS, seal: column.uuid });
// A transaction that a reorganisation removed may be in another block later.
const SEE_HOT = statement(
  'deposits.see_hot',
  `${SEALED_HOT.insertInto('deposits.hot_transfer AS h')} ON CONFLICT (chain, hash, output, direction) DO UPDATE SET block_height = excluded.block_height, block_hash = excluded.block_hash
   WHERE h.block_hash <> excluded.block_hash`,
);
const FORGET_HOT = statement(
  'deposits.forget_hot',
  'DELETE FROM deposits.hot_transfer WHERE chain = $1 AND block_height > $2 AND journal IS NULL',
);
const FORGET_OBSERVATIONS = statement(
  'deposits.forget_observations',
  'DELETE FROM deposits.observation WHERE chain = $1 AND (height > $2 OR height < $3)',
);
const READ_HOT = statement(
  'deposits.read_hot_income',
  `SELECT ${HOT.names} FROM deposits.hot_income WHERE chain = $1 AND block_height <= $2 ORDER BY block_height LIMIT 100`,
);
const TAKE_HOT = statement(
  'deposits.take_hot_income',
  `UPDATE deposits.hot_transfer SET journal = $4 WHERE chain = $1 AND hash = $2 AND output = $3 AND direction IN ('in', 'sweep') AND journal IS NULL`,
);

/** The sealed text of a transfer. It leaves out the block, which may change in a reorganisation. */
const saidOfTransfer = ({ chain, hash, output, direction, sender, receiver, amount }: HotTransfer): string =>
  [chain, hash, output, direction, sender, receiver, amount.units].join(' ');

export async function storeHotTransfers(queries: Queries, rows: readonly HotTransfer[], key: KeyObject): Promise<void> {
  if (rows.length === 0) return;
  const sealed = rows.map((row) => ({ ...row, seal: rowSeal(key, saidOfTransfer(row)) }));
  await queries.query(SEE_HOT, SEALED_HOT.values(sealed));
}
/** A confirmed transaction of the wallet or of a deposit address. */
export interface OwnTransaction {
  readonly chain: string;
  readonly hash: string;
  readonly sender: string;
  readonly nonce: number;
  readonly receiver: string | null;
  readonly value: bigint;
  readonly block_height: bigint;
  readonly at: Date;
}
const { text, numeric, bigint, integer, number, time, nullable } = column;
const OWN = table<OwnTransaction>({
  chain: text(),
  hash: text(),
  sender: text(),
  nonce: number,
  receiver: nullable(text()),
  value: numeric,
  block_height: bigint,
  at: time,
});
const KEEP_UNSIGNED = statement(
  'deposits.keep_unsigned',
  `${OWN.insertInto('deposits.unsigned_transaction')} ON CONFLICT DO NOTHING`,
);
/** Stores the transactions that this database's signer has not signed; the database skips the others. */
export async function storeUnsignedTransactions(queries: Queries, rows: readonly OwnTransaction[]): Promise<void> {
  if (rows.length > 0) await queries.query(KEEP_UNSIGNED, OWN.values(rows));
}

/** A transfer to one of our addresses that no customer of this database owns. */
export interface ForgottenTransfer {
  readonly chain: string;
  readonly hash: string;
  readonly output: number;
  readonly address: string;
  readonly index: number;
  readonly sender: string;
  readonly amount: bigint;
  readonly block_height: bigint;
  readonly at: Date;
}
const FORGOTTEN = table<ForgottenTransfer>({
  chain: text(),
  hash: text(),
  output: integer,
  address: text(),
  index: integer,
  sender: text(),
  amount: numeric,
  block_height: bigint,
  at: time,
});
const KEEP_FORGOTTEN = statement(
  'deposits.keep_forgotten',
  `${FORGOTTEN.insertInto('deposits.forgotten')} ON CONFLICT DO NOTHING`,
);
export async function storeForgottenTransfers(queries: Queries, rows: readonly ForgottenTransfer[]): Promise<void> {
  if (rows.length > 0) await queries.query(KEEP_FORGOTTEN, FORGOTTEN.values(rows));
}
const FORGET_UNSIGNED = statement(
  'deposits.forget_unsigned',
  'DELETE FROM deposits.unsigned_transaction WHERE chain = $1 AND block_height > $2',
);
const FORGET_FORGOTTEN = statement(
  'deposits.forget_forgotten',
  'DELETE FROM deposits.forgotten WHERE chain = $1 AND block_height > $2',
);

const FORGET_DUST = statement(
  'deposits.forget_dust',
  'DELETE FROM deposits.crumb WHERE chain = $1 AND block_height > $2',
);
export async function forgetBlocksAbove(queries: Queries, chain: string, height: number): Promise<void> {
  await Promise.all([
    queries.query(FORGET_DUST, [chain, height]),
    queries.query(FORGET_UNSIGNED, [chain, height]),
    queries.query(FORGET_FORGOTTEN, [chain, height]),
    queries.query(FORGET_HOT, [chain, height]),
    queries.query(FORGET_OBSERVATIONS, [chain, height, 0]),
    dropCheckpoints(queries, chain, 0, height),
  ]);
}
export const readHotIncome = (queries: Queries, chain: string, upTo: number): Promise<HotTransfer[]> =>
  HOT.query(queries, READ_HOT, [chain, upTo]);
export async function takeHotIncome(
  queries: Queries,
  { chain, hash, output }: Pick<HotTransfer, 'chain' | 'hash' | 'output'>,
  journal: string,
): Promise<void> {
  await queries.query(TAKE_HOT, [chain, hash, output, journal]);
}

const WITH_MONEY = statement(
  'deposits.addresses_with_money',
  `SELECT DISTINCT address FROM deposits.deposit WHERE chain = $1 AND token = $2 AND block_height IS NOT NULL`,
);
export async function readAddressesWithMoney(queries: Queries, chain: string, token: string): Promise<string[]> {
  return (await queries.query<{ address: string }>(WITH_MONEY, [chain, token])).map(({ address }) => address);
}

const HELD_BY_BOOKS = statement(
  'deposits.held_at',
  `SELECT d.address, (sum(d.amount) - coalesce((SELECT l.units FROM deposits.leaving l WHERE l.chain = $1 AND l.token = $2 AND l.address = d.address), 0)
     - coalesce((SELECT b.units FROM deposits.swept_before b WHERE b.chain = $1 AND b.address = d.address), 0))::text AS units
   FROM deposits.deposit d WHERE d.chain = $1 AND d.token = $2 AND d.address = ANY ($3::text[]) AND d.block_height IS NOT NULL GROUP BY d.address`,
);
/** The minimum balance of each address: the received amounts minus those that have left for the wallet. */
export async function readMinimumBalances(
  queries: Queries,
  chain: string,
  token: string,
  addresses: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await queries.query<{ address: string; units: string }>(HELD_BY_BOOKS, [
    chain,
    token,
    `{${addresses.join()}}`,
  ]);
  return new Map(rows.map(({ address, units }) => [address, BigInt(units)]));
}

const OBSERVE = statement(
  'deposits.observe',
  `INSERT INTO deposits.observation (chain, height, block_hash, hot, addresses, at, seal) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT DO NOTHING`,
);
const IS_NEWEST = statement(
  'deposits.is_newest_observation',
  `SELECT EXISTS (SELECT FROM deposits.observation WHERE chain = $1 AND height = $2 AND block_hash = $3 AND hot = $4 AND addresses = $5)
     AND NOT EXISTS (SELECT FROM deposits.observation WHERE chain = $1 AND height > $2) AS is_newest`,
);
const OBSERVATIONS_KEPT = 2_000;
export interface Observation {
  readonly chain: string;
  readonly height: number;
  readonly hash: string;
  readonly hot: bigint;
  readonly addresses: bigint;
  readonly at: Date;
}
/** True if the newest observation is this one, as it was stored. */
export async function isNewestObservation(queries: Queries, seen: Observation): Promise<boolean> {
  const values = [seen.chain, seen.height, seen.hash, seen.hot, seen.addresses];
  return (await queries.query<{ is_newest: boolean }>(IS_NEWEST, values))[0]?.is_newest === true;
}
/** Sealed, so that the checker believes what the watcher read. Its SQL composes the same text. */
export async function storeBalanceObservation(queries: Queries, seen: Observation, key: KeyObject): Promise<void> {
  const { chain, height, hash, hot, addresses, at } = seen;
  const seal = rowSeal(key, `${chain} ${height} ${hash} ${hot} ${addresses}`);
  await queries.query(OBSERVE, [chain, height, hash, hot, addresses, at, seal]);
  await queries.query(FORGET_OBSERVATIONS, [seen.chain, seen.height, seen.height - OBSERVATIONS_KEPT]);
}

const HEAD = statement('deposits.read_head', 'SELECT head FROM deposits.cursor WHERE chain = $1');
/** The newest block read; null before the first. */
export async function readChainHead(queries: Queries, chain: string): Promise<bigint | null> {
  const [row] = await queries.query<{ head: bigint }>(HEAD, [chain]);
  return row?.head ?? null;
}
