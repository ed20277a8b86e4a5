import type { Hex, RunKind } from '@sathorn/treasury';
import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

const { uuid, text, bigint, time, nullable } = column;

export const RUN_STEPS = ['open', 'signed', 'sending', 'done', 'withdrawn', 'lapsed', 'refused', 'superseded'] as const;
type RunStep = (typeof RUN_STEPS)[number];

const RUN_COLUMNS = {
  id: uuid,
  chain: text<string>(),
  nonce: bigint,
  hash: text<Hex>(),
  kind: text<RunKind>(),
  data: text<Hex>(),
  step: text<RunStep>(),
  opened_by: bigint,
  opened_at: time,
  lapses_at: time,
  /** The transaction that a block contains; until then the newest that was sent. */
  transaction: nullable(text<string>()),
};
export type RunRow = RowOf<typeof RUN_COLUMNS>;
const RUNS = table<RunRow>(RUN_COLUMNS);

const LINE_COLUMNS = {
  run: uuid,
  withdrawal_id: nullable(uuid),
  receiver: text<string>(),
  units: bigint,
};
/** A payment of a run. Without a withdrawal it is a top-up of the hot wallet. */
export type RunLineRow = RowOf<typeof LINE_COLUMNS>;
const LINES = table<RunLineRow>(LINE_COLUMNS);

const SIGNATURES = table<{ readonly run: string; readonly operator: bigint; readonly at: Date }>({
  run: uuid,
  operator: bigint,
  at: time,
});

const OWNER_COLUMNS = {
  address: text<string>(),
  operator: nullable(bigint),
  kind: text<'demo' | 'passkey' | 'cold'>(),
  credential: nullable(text<string>()),
  has_left: column.boolean,
};
export type OwnerRow = RowOf<typeof OWNER_COLUMNS>;
const OWNERS = table<OwnerRow>(OWNER_COLUMNS);

const PAYABLE_COLUMNS = {
  id: uuid,
  address: text<string>(),
  units: bigint,
};
/** A withdrawal that one person examined and that no run pays yet. */
export type PayableRow = RowOf<typeof PAYABLE_COLUMNS>;
const PAYABLE = table<PayableRow>(PAYABLE_COLUMNS);

const EXAMINED_COLUMNS = {
  id: uuid,
  order_number: text<string>(),
  customer_id: bigint,
  examined_by: column.list('examined_by'),
  is_first: column.boolean,
  looks_like: nullable(text<string>()),
};
/** What people see of the withdrawal behind a line. */
export type ExaminedRow = RowOf<typeof EXAMINED_COLUMNS>;
const EXAMINED = table<ExaminedRow>(EXAMINED_COLUMNS);

const WAITING_MAX = 500;
const RECENT_MAX = 20;
const READ_PAYABLE = statement(
  'treasury.read_payable',
  `SELECT ${PAYABLE.names} FROM treasury.payable WHERE chain = $1 ORDER BY created_at, id LIMIT ${WAITING_MAX}`,
);
const FIND_PAYABLE = statement(
  'treasury.find_payable',
  `SELECT ${PAYABLE.names} FROM treasury.payable WHERE chain = $1 AND id = ANY ($2::uuid[]) ORDER BY created_at, id`,
);
const READ_EXAMINED = statement(
  'treasury.read_examined',
  `SELECT ${EXAMINED.names} FROM treasury.examined WHERE id = ANY ($1::uuid[])`,
);
const READ_BUSY = statement(
  'treasury.read_busy',
  `SELECT ${RUNS.names} FROM treasury.run_shown WHERE chain = $1 AND step IN ('open', 'signed', 'sending')`,
);
const READ_RECENT = statement(
  'treasury.read_recent',
  `SELECT ${RUNS.names} FROM treasury.run_shown WHERE chain = $1 AND step NOT IN ('open', 'signed', 'sending') ORDER BY opened_at DESC LIMIT ${RECENT_MAX}`,
);
const LOCK = statement(
  'treasury.lock_run',
  `SELECT ${RUNS.names} FROM treasury.run_shown WHERE id = (SELECT id FROM treasury.run WHERE id = $1 FOR UPDATE)`,
);
const READ_LINES = statement(
  'treasury.read_lines',
  `SELECT ${LINES.names} FROM treasury.line WHERE run = ANY ($1::uuid[]) ORDER BY run, place`,
);
const READ_SIGNATURES = statement(
  'treasury.read_signatures',
  `SELECT ${SIGNATURES.names} FROM treasury.signature WHERE run = ANY ($1::uuid[]) ORDER BY at`,
);
const READ_OWNERS = statement(
  'treasury.read_owners',
  `SELECT ${OWNERS.names} FROM treasury.owner_shown WHERE chain = $1 ORDER BY since, address`,
);
const INSERT_RUN = statement(
  'treasury.insert_run',
  'INSERT INTO treasury.run (id, chain, nonce, hash, kind, data, opened_by, lapses_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
);
const INSERT_LINES = statement(
  'treasury.insert_lines',
  `INSERT INTO treasury.line (run, place, withdrawal_id, receiver, units)
   SELECT $1, place - 1, withdrawal, receiver, units FROM unnest($2::uuid[], $3::text[], $4::bigint[]) WITH ORDINALITY AS l(withdrawal, receiver, units, place) ORDER BY place`,
);
const INSERT_SIGNATURE = statement(
  'treasury.insert_signature',
  'INSERT INTO treasury.signature (run, owner, operator, signature) VALUES ($1, $2, $3, $4)',
);
const END = statement(
  'treasury.end_run',
  `UPDATE treasury.run SET step = $2, ended_at = $3 WHERE id = $1 AND step = ANY ($4::text[]) RETURNING id`,
);
const LAPSED = statement(
  'treasury.lapse',
  `UPDATE treasury.run SET step = 'lapsed', ended_at = $1 WHERE step = 'open' AND lapses_at <= clock_timestamp() RETURNING id`,
);
const UNSENT = statement(
  'treasury.end_unsent',
  `UPDATE treasury.run SET step = 'refused', ended_at = $1 WHERE step = 'signed' AND lapses_at <= clock_timestamp() RETURNING id`,
);
const SUPERSEDED = statement(
  'treasury.supersede',
  `UPDATE treasury.run r SET step = 'superseded', ended_at = coalesce(r.ended_at, $1) FROM treasury.state s
   WHERE s.chain = r.chain AND r.step IN ('open', 'signed', 'refused') AND s.nonce > r.nonce RETURNING r.id`,
);

export const readPayable = (queries: Queries, chain: string): Promise<PayableRow[]> =>
  PAYABLE.query(queries, READ_PAYABLE, [chain]);
export const findPayable = (queries: Queries, chain: string, ids: readonly string[]): Promise<PayableRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : PAYABLE.query(queries, FIND_PAYABLE, [chain, arrayLiteral(ids)]);
export async function readExamined(queries: Queries, ids: readonly string[]): Promise<Map<string, ExaminedRow>> {
  if (ids.length === 0) return new Map();
  return new Map((await EXAMINED.query(queries, READ_EXAMINED, [arrayLiteral(ids)])).map((row) => [row.id, row]));
}
/** The run that is open, signed or on its way; null if there is none. */
export const readBusyRun = async (queries: Queries, chain: string): Promise<RunRow | null> =>
  (await RUNS.query(queries, READ_BUSY, [chain]))[0] ?? null;
export const readRecentRuns = (queries: Queries, chain: string): Promise<RunRow[]> =>
  RUNS.query(queries, READ_RECENT, [chain]);
export const lockRun = async (queries: Queries, id: string): Promise<RunRow | null> =>
  (await RUNS.query(queries, LOCK, [id]))[0] ?? null;
export const readRunLines = (queries: Queries, runs: readonly string[]): Promise<RunLineRow[]> =>
  runs.length === 0 ? Promise.resolve([]) : LINES.query(queries, READ_LINES, [arrayLiteral(runs)]);
export const readRunSignatures = (
  queries: Queries,
  runs: readonly string[],
): Promise<{ readonly run: string; readonly operator: bigint; readonly at: Date }[]> =>
  runs.length === 0 ? Promise.resolve([]) : SIGNATURES.query(queries, READ_SIGNATURES, [arrayLiteral(runs)]);
export const readOwners = (queries: Queries, chain: string): Promise<OwnerRow[]> =>
  OWNERS.query(queries, READ_OWNERS, [chain]);

export async function insertRun(
  queries: Queries,
  run: Pick<RunRow, 'id' | 'chain' | 'nonce' | 'hash' | 'kind' | 'data' | 'opened_by' | 'lapses_at'>,
  lines: readonly Omit<RunLineRow, 'run'>[],
): Promise<void> {
  const { id, chain, nonce, hash, kind, data, opened_by: by, lapses_at: lapses } = run;
  await queries.query(INSERT_RUN, [id, chain, nonce, hash, kind, data, by, lapses]);
  if (lines.length === 0) return;
  await queries.query(INSERT_LINES, [
    id,
    arrayLiteral(lines.map(({ withdrawal_id: withdrawal }) => withdrawal)),
    arrayLiteral(lines.map(({ receiver }) => receiver)),
    arrayLiteral(lines.map(({ units }) => units)),
  ]);
}

export async function insertSignature(
  queries: Queries,
  signed: { readonly run: string; readonly owner: string; readonly operator: bigint; readonly signature: Hex },
): Promise<void> {
  await queries.query(INSERT_SIGNATURE, [signed.run, signed.owner, signed.operator, signed.signature]);
}

const INSERT_OWNER = statement(
  'treasury.insert_owner',
  'INSERT INTO treasury.owner (chain, address, operator, kind, credential) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
);
/** Names a key that a run is to add; it counts once the chain says so. */
export async function insertOwner(
  queries: Queries,
  chain: string,
  { address, operator, kind, credential }: Omit<OwnerRow, 'has_left'>,
): Promise<void> {
  await queries.query(INSERT_OWNER, [chain, address, operator, kind, credential]);
}

/** False if the run is in another step. */
export async function withdrawRun(queries: Queries, id: string, now: Date): Promise<boolean> {
  return (await queries.query(END, [id, 'withdrawn', now, arrayLiteral(['open'])])).length === 1;
}

/**
 * Ends runs whose time is over, and those whose nonce another transaction of the Safe has used. One that enough people
 * have signed ends as refused, because it can still be executed.
 */
export async function endStaleRuns(queries: Queries, now: Date): Promise<void> {
  await queries.query(LAPSED, [now]);
  await queries.query(UNSENT, [now]);
  await queries.query(SUPERSEDED, [now]);
}
