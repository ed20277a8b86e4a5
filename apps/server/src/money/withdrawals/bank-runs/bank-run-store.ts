import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../../platform/database/index.ts';

const { uuid, text, bigint, integer, time } = column;

const RUN_COLUMNS = {
  id: uuid,
  /** SHA-256 of the file, in hex. */
  hash: text<string>(),
  step: text<'open' | 'signed' | 'withdrawn' | 'lapsed'>(),
  opened_by: bigint,
  opened_at: time,
  lapses_at: time,
  /** How many payments the file has. */
  count: integer,
  /** Their sum. */
  baht: column.money('THB'),
};
export type BankRunRow = RowOf<typeof RUN_COLUMNS>;
const RUNS = table<BankRunRow>(RUN_COLUMNS);

const LINES = table<{ readonly withdrawal_id: string }>({ withdrawal_id: uuid });

const SIGNATURE_COLUMNS = { run: uuid, operator: bigint, step_up: uuid, at: time };
type SignatureRow = RowOf<typeof SIGNATURE_COLUMNS>;
const SIGNATURES = table<SignatureRow>(SIGNATURE_COLUMNS);

const EXAMINED = table<{ readonly id: string; readonly examined_by: readonly string[] }>({
  id: uuid,
  examined_by: column.list('examined_by'),
});

const RECENT_MAX = 20;
const READ_OPEN = statement(
  'withdrawals.read_open_bank_run',
  `SELECT ${RUNS.names} FROM withdrawals.bank_run_shown WHERE step = 'open'`,
);
const READ_RECENT = statement(
  'withdrawals.read_recent_bank_runs',
  `SELECT ${RUNS.names} FROM withdrawals.bank_run_shown WHERE step <> 'open' ORDER BY opened_at DESC LIMIT ${RECENT_MAX}`,
);
const READ = statement(
  'withdrawals.read_bank_run',
  `SELECT ${RUNS.names} FROM withdrawals.bank_run_shown WHERE id = $1`,
);
const LOCK = statement(
  'withdrawals.lock_bank_run',
  `SELECT ${RUNS.names} FROM withdrawals.bank_run_shown WHERE id = (SELECT id FROM withdrawals.bank_run WHERE id = $1 FOR UPDATE)`,
);
const READ_LINES = statement(
  'withdrawals.read_bank_lines',
  `SELECT ${LINES.names} FROM withdrawals.bank_line WHERE run = $1 ORDER BY place`,
);
const READ_SIGNATURES = statement(
  'withdrawals.read_bank_signatures',
  `SELECT ${SIGNATURES.names} FROM withdrawals.bank_signature WHERE run = ANY ($1::uuid[]) ORDER BY at`,
);
const READ_EXAMINED = statement(
  'withdrawals.read_bank_examined',
  `SELECT ${EXAMINED.names} FROM withdrawals.bank_examined WHERE id = ANY ($1::uuid[])`,
);
const INSERT_RUN = statement(
  'withdrawals.insert_bank_run',
  'INSERT INTO withdrawals.bank_run (id, hash, opened_by, lapses_at) VALUES ($1, $2, $3, $4)',
);
const INSERT_LINES = statement(
  'withdrawals.insert_bank_lines',
  `INSERT INTO withdrawals.bank_line (run, place, withdrawal_id)
   SELECT $1, place - 1, withdrawal FROM unnest($2::uuid[]) WITH ORDINALITY AS l(withdrawal, place) ORDER BY place`,
);
const INSERT_SIGNATURE = statement(
  'withdrawals.insert_bank_signature',
  'INSERT INTO withdrawals.bank_signature (run, operator, step_up) VALUES ($1, $2, $3)',
);
const WITHDRAW = statement(
  'withdrawals.withdraw_bank_run',
  `UPDATE withdrawals.bank_run SET step = 'withdrawn', ended_at = $2 WHERE id = $1 AND step = 'open'`,
);
const LAPSE = statement(
  'withdrawals.lapse_bank_runs',
  `UPDATE withdrawals.bank_run SET step = 'lapsed', ended_at = $1 WHERE step = 'open' AND lapses_at <= clock_timestamp()`,
);

const first = async (rows: Promise<BankRunRow[]>): Promise<BankRunRow | null> => (await rows)[0] ?? null;
export const readOpenBankRun = (queries: Queries) => first(RUNS.query(queries, READ_OPEN, []));
export const readRecentBankRuns = (queries: Queries) => RUNS.query(queries, READ_RECENT, []);
export const readBankRun = (queries: Queries, id: string) => first(RUNS.query(queries, READ, [id]));
export const lockBankRun = (queries: Queries, id: string) => first(RUNS.query(queries, LOCK, [id]));

/** The withdrawals of a run, in the order of its lines. */
export async function readBankLines(queries: Queries, run: string): Promise<readonly string[]> {
  return (await LINES.query(queries, READ_LINES, [run])).map(({ withdrawal_id: id }) => id);
}
export const readBankSignatures = (queries: Queries, runs: readonly string[]): Promise<SignatureRow[]> =>
  runs.length === 0 ? Promise.resolve([]) : SIGNATURES.query(queries, READ_SIGNATURES, [arrayLiteral(runs)]);
/** The operators who examined each of these withdrawals. */
export async function readBankExamined(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = ids.length === 0 ? [] : await EXAMINED.query(queries, READ_EXAMINED, [arrayLiteral(ids)]);
  return new Map(rows.map(({ id, examined_by: by }) => [id, by]));
}

export async function insertBankRun(
  queries: Queries,
  { id, hash, opened_by: by, lapses_at: lapses }: Pick<BankRunRow, 'id' | 'hash' | 'opened_by' | 'lapses_at'>,
  withdrawals: readonly string[],
): Promise<void> {
  await queries.query(INSERT_RUN, [id, hash, by, lapses]);
  await queries.query(INSERT_LINES, [id, arrayLiteral(withdrawals)]);
}
/** With the second signature, the database moves the run's withdrawals to the bank. */
export async function insertBankSignature(
  queries: Queries,
  { run, operator, step_up: stepUp }: Omit<SignatureRow, 'at'>,
): Promise<void> {
  await queries.query(INSERT_SIGNATURE, [run, operator, stepUp]);
}
export async function endBankRun(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query(WITHDRAW, [id, now]);
}
/** Ends the run whose time is over. Its payments are free again. */
export async function lapseBankRuns(queries: Queries, now: Date): Promise<void> {
  await queries.query(LAPSE, [now]);
}
