import { type Liabilities, readLiabilities, type SignedText, type SumNode } from '@sathorn/proof';
import { type Queries, statement } from '../../platform/database/index.ts';

/** What one customer is owed. */
export interface OwedRow {
  /** The newest transfer of the ledger. */
  readonly ledger: bigint;
  readonly customer: bigint;
  /** Name, asset, number of entries, and total in units. */
  readonly accounts: readonly (readonly [string, string, string, string])[];
  readonly options: string;
}

const OWED = statement(
  'liabilities.read_owed',
  'SELECT ledger, customer, accounts, options::text AS options FROM books.owed()',
);
export const readOwed = (queries: Queries): Promise<OwedRow[]> => queries.query<OwedRow>(OWED);

/** Only one process makes a tree at a time. False if another one does. */
export async function lockLiabilities(queries: Queries): Promise<boolean> {
  const [row] = await queries.query<{ mine: boolean }>(LOCK);
  return row?.mine === true;
}
const LOCK = statement(
  'liabilities.lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('books.liabilities', 0)) AS mine`,
);

export interface LiabilitiesRow {
  readonly sequence: bigint;
  readonly at: Date;
  readonly signed: SignedText;
}
const NEWEST = statement(
  'liabilities.newest',
  `SELECT sequence, at, body, encode(hash, 'hex') AS hash, signature, key FROM books.liabilities
   WHERE sequence < coalesce($1, 9223372036854775807) ORDER BY sequence DESC LIMIT $2`,
);
/** Newest first, older than number `before`. */
export async function readLiabilitiesRows(
  queries: Queries,
  limit: number,
  before: bigint | null = null,
): Promise<LiabilitiesRow[]> {
  const rows = await queries.query<SignedText & { sequence: bigint; at: Date }>(NEWEST, [before, limit]);
  return rows.map(({ sequence, at, body, hash, signature, key }) => ({
    sequence,
    at,
    signed: { body, hash, signature, key },
  }));
}

/** The newest signed sums; null before the first. */
export async function readNewestSums(queries: Queries): Promise<{ hash: string; sums: Liabilities } | null> {
  const [newest] = await readLiabilitiesRows(queries, 1);
  if (newest === undefined) return null;
  const sums = readLiabilities(newest.signed.body);
  if (sums === undefined) throw new Error('the newest sums of liabilities cannot be read');
  return { hash: newest.signed.hash, sums };
}

const INSERT = statement(
  'liabilities.insert',
  `INSERT INTO books.liabilities (sequence, at, body, hash, signature, key) VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6)`,
);
export async function insertLiabilities(queries: Queries, { sequence, at, signed }: LiabilitiesRow): Promise<void> {
  const { body, hash, signature, key } = signed;
  await queries.query(INSERT, [sequence, at, body, hash, signature, key]);
}

export interface NodeRow {
  readonly level: number;
  readonly position: number;
  readonly node: SumNode;
  readonly customer: bigint | null;
  readonly leaf: string | null;
}
const INSERT_NODES = statement(
  'liabilities.insert_nodes',
  `INSERT INTO books.liability_node (sequence, level, position, node, customer, leaf)
   SELECT $1, r.level, r.position, r.node, r.customer, r.leaf
   FROM jsonb_to_recordset($2::jsonb) AS r(level smallint, position integer, node text, customer bigint, leaf text)`,
);
export async function insertNodes(queries: Queries, sequence: bigint, nodes: readonly NodeRow[]): Promise<void> {
  const rows = nodes.map(({ node, customer, ...row }) => ({
    ...row,
    node: JSON.stringify(node),
    customer: customer === null ? null : String(customer),
  }));
  await queries.query(INSERT_NODES, [sequence, JSON.stringify(rows)]);
}

const DROP = statement('liabilities.drop_nodes', 'DELETE FROM books.liability_node WHERE sequence <= $1');
export async function dropNodes(queries: Queries, upTo: bigint): Promise<void> {
  await queries.query(DROP, [upTo]);
}

const LEAF = statement(
  'liabilities.read_leaf',
  `SELECT n.sequence, n.position, n.leaf, l.body, encode(l.hash, 'hex') AS hash, l.signature, l.key
   FROM books.liability_node n JOIN books.liabilities l USING (sequence)
   WHERE n.customer = $1 AND n.level = 0 ORDER BY n.sequence DESC LIMIT 1`,
);
const PATH = statement(
  'liabilities.read_path',
  `SELECT node FROM books.liability_node WHERE sequence = $1 AND position = (($2::integer >> level) # 1) ORDER BY level`,
);
/** The newest tree in which the customer has a leaf, with the way from it; undefined without one. */
export async function readOwnLiability(queries: Queries, customer: bigint) {
  type Leaf = SignedText & { sequence: bigint; position: number; leaf: string };
  const [found] = await queries.query<Leaf>(LEAF, [customer]);
  if (found === undefined) return undefined;
  const path = await queries.query<{ node: string }>(PATH, [found.sequence, found.position]);
  const { body, hash, signature, key } = found;
  return {
    signed: { body, hash, signature, key },
    leaf: found.leaf,
    index: String(found.position),
    path: path.map(({ node }) => JSON.parse(node) as string[]),
  };
}
