import type { AssetCode } from '@sathorn/money';
import type { CorrectionKind } from '@sathorn/settlement';
import { type Queries, statement } from '../../platform/database/index.ts';

export type CorrectionStep = 'proposed' | 'announced' | 'done' | 'stopped' | 'rejected' | 'withdrawn' | 'expired';
export type CorrectionReason =
  | 'charged_twice'
  | 'fee_wrong'
  | 'credited_wrongly'
  | 'settlement_fault'
  | 'deposit_lost'
  | 'kept_receipt'
  | 'goodwill'
  | 'reorg';

export interface CorrectionRow {
  readonly id: string;
  readonly number: bigint;
  readonly customer_id: bigint;
  readonly kind: CorrectionKind;
  readonly asset: AssetCode;
  readonly units: bigint;
  /** The code in the chart of the house's account that pays the correction or is paid back by it. */
  readonly house: number;
  readonly transfer: bigint | null;
  readonly deposit: string | null;
  /** SHA-256 of the signed terms whose receipt is paid. */
  readonly kept: string | null;
  readonly reason: CorrectionReason;
  readonly words: string;
  readonly case_kind: 'dispute' | 'journal' | 'incident' | 'deposit' | 'kept';
  readonly case_id: string;
  readonly approval: string;
  readonly made_by: bigint;
  readonly made_at: Date;
  readonly expires_at: Date;
  readonly step: CorrectionStep;
  readonly version: number;
  readonly due_at: Date | null;
  readonly moved: bigint;
  readonly journal: string | null;
  readonly ended_at: Date | null;
  readonly stopped_by: bigint | null;
}
export type NewCorrection = Omit<
  CorrectionRow,
  'number' | 'step' | 'version' | 'due_at' | 'moved' | 'journal' | 'ended_at' | 'stopped_by'
>;

const MADE =
  'id, customer_id, kind, asset, units, house, transfer, deposit, reason, words, case_kind, case_id, approval, made_by, made_at, expires_at, kept';
const COLUMNS =
  `${MADE}, number, house::integer AS house, step, version, due_at, moved, journal, ended_at, stopped_by`.replace(
    'units, house,',
    'units,',
  );

const INSERT = statement(
  'corrections.insert',
  `INSERT INTO corrections.correction (${MADE}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
);
const READ = statement('corrections.read', `SELECT ${COLUMNS} FROM corrections.correction WHERE id = $1`);
const LOCK = statement('corrections.lock', `SELECT ${COLUMNS} FROM corrections.correction WHERE id = $1 FOR UPDATE`);
const lists = {
  waiting: statement(
    'corrections.list_waiting',
    `SELECT ${COLUMNS} FROM corrections.correction WHERE step = 'proposed' AND ($1::bigint IS NULL OR number > $1) ORDER BY number LIMIT $2`,
  ),
  announced: statement(
    'corrections.list_announced',
    `SELECT ${COLUMNS} FROM corrections.correction WHERE step = 'announced' AND ($1::bigint IS NULL OR number > $1) ORDER BY number LIMIT $2`,
  ),
  posted: statement(
    'corrections.list_posted',
    `SELECT ${COLUMNS} FROM corrections.correction WHERE step = 'done' AND ($1::bigint IS NULL OR number < $1) ORDER BY number DESC LIMIT $2`,
  ),
  closed: statement(
    'corrections.list_closed',
    `SELECT ${COLUMNS} FROM corrections.correction WHERE step IN ('stopped', 'rejected', 'withdrawn', 'expired')
       AND ($1::bigint IS NULL OR number < $1) ORDER BY number DESC LIMIT $2`,
  ),
};
const COUNT = statement(
  'corrections.count',
  `SELECT count(*) FILTER (WHERE step = 'proposed')::integer AS waiting, count(*) FILTER (WHERE step = 'announced')::integer AS announced,
     min(made_at) FILTER (WHERE step = 'proposed') AS oldest
   FROM corrections.correction WHERE step IN ('proposed', 'announced')`,
);
const SUMS = statement(
  'corrections.sum',
  `SELECT kind, asset, count(*)::integer AS count, sum(moved)::bigint AS units FROM corrections.correction
   WHERE step = 'done' AND ended_at > $1 GROUP BY kind, asset ORDER BY kind, asset`,
);
// The customer sees what two people agreed to, and nothing before.
const OF_CUSTOMER = statement(
  'corrections.list_of_customer',
  `SELECT ${COLUMNS} FROM corrections.correction WHERE customer_id = $1 AND step IN ('announced', 'done', 'stopped')
     AND ($2::bigint IS NULL OR number < $2) AND ($3::uuid IS NULL OR id = $3 OR journal = $3) ORDER BY number DESC LIMIT $4`,
);
const OF_CASE = statement(
  'corrections.list_of_case',
  `SELECT ${COLUMNS} FROM corrections.correction WHERE case_kind = $1 AND case_id = $2 ORDER BY number`,
);
const TAKEN = statement('corrections.taken_of', 'SELECT corrections.taken_of($1, $2)::text AS units');
const PEOPLE = statement('corrections.people_of', 'SELECT corrections.people_of($1) @> ARRAY[$2::bigint] AS took_part');
const LATELY = statement(
  'corrections.sum_lately',
  'SELECT corrections.sum_lately($1, $2, $3, $4)::text AS units, corrections.small_max($3)::text AS small_max',
);
const ANNOUNCE = statement(
  'corrections.announce',
  `UPDATE corrections.correction SET step = 'announced', version = version + 1, due_at = $2 WHERE id = $1 AND step = 'proposed'`,
);
const FINISH = statement(
  'corrections.finish',
  `UPDATE corrections.correction SET step = 'done', version = version + 1, moved = $2, journal = $3, ended_at = $4 WHERE id = $1`,
);
const STOP = statement(
  'corrections.stop',
  `UPDATE corrections.correction SET step = 'stopped', version = version + 1, stopped_by = $2, ended_at = $3 WHERE id = $1 AND step = 'announced' RETURNING id`,
);
const CLOSE_ENDED = statement('corrections.close_ended', 'SELECT corrections.close_ended() AS closed');
const DUE = statement(
  'corrections.list_due',
  `SELECT ${COLUMNS} FROM corrections.correction WHERE step = 'announced' AND due_at <= clock_timestamp() AND corrections.may_post() ORDER BY number LIMIT 100`,
);
const RECENT = statement(
  'corrections.list_recent',
  `SELECT ${COLUMNS} FROM corrections.correction WHERE step = 'announced' OR step IN ('done', 'stopped') AND ended_at > $1`,
);

export async function insertCorrection(queries: Queries, row: NewCorrection): Promise<void> {
  await queries.query(INSERT, [
    row.id,
    row.customer_id,
    row.kind,
    row.asset,
    row.units,
    row.house,
    row.transfer,
    row.deposit,
    row.reason,
    row.words,
    row.case_kind,
    row.case_id,
    row.approval,
    row.made_by,
    row.made_at,
    row.expires_at,
    row.kept,
  ]);
}
/** True if the operator proposed, approved or matched the transfer. */
export const tookPartIn = async (queries: Queries, transfer: bigint, operator: bigint): Promise<boolean> =>
  (await queries.query<{ took_part: boolean }>(PEOPLE, [transfer, operator]))[0]?.took_part ?? false;
export const findCorrection = async (queries: Queries, id: string): Promise<CorrectionRow | null> =>
  (await queries.query<CorrectionRow>(READ, [id]))[0] ?? null;
export const lockCorrection = async (queries: Queries, id: string): Promise<CorrectionRow | null> =>
  (await queries.query<CorrectionRow>(LOCK, [id]))[0] ?? null;
export const listCorrectionRows = (
  queries: Queries,
  tab: keyof typeof lists,
  after: bigint | null,
  limit: number,
): Promise<CorrectionRow[]> => queries.query<CorrectionRow>(lists[tab], [after, limit]);
export async function countCorrections(
  queries: Queries,
): Promise<{ readonly waiting: number; readonly announced: number; readonly oldest: Date | null }> {
  const [row] = await queries.query<{ waiting: number; announced: number; oldest: Date | null }>(COUNT);
  return row ?? { waiting: 0, announced: 0, oldest: null };
}
export const sumCorrections = (
  queries: Queries,
  since: Date,
): Promise<{ kind: CorrectionKind; asset: AssetCode; count: number; units: bigint }[]> => queries.query(SUMS, [since]);
export const listOwnRows = (
  queries: Queries,
  customer: bigint,
  before: bigint | null,
  id: string | null,
  limit: number,
): Promise<CorrectionRow[]> => queries.query<CorrectionRow>(OF_CUSTOMER, [customer, before, id, limit]);
export const listOfCase = (queries: Queries, kind: CorrectionRow['case_kind'], id: string): Promise<CorrectionRow[]> =>
  queries.query<CorrectionRow>(OF_CASE, [kind, id]);
const UNDONE = statement(
  'corrections.is_undone',
  "SELECT CASE $2 WHEN 'reverse' THEN corrections.is_undone($1) ELSE corrections.is_of_open_payout($1) END AS undone",
);
/**
 * True if nothing is left to correct: the chain has taken this credit back by itself, or a withdrawal has given back
 * what it took, as it may until it is done.
 */
export const isUndone = async (queries: Queries, transfer: bigint, kind: CorrectionKind): Promise<boolean> =>
  (await queries.query<{ undone: boolean }>(UNDONE, [transfer, kind]))[0]?.undone === true;

const BY_OTHERS = statement('corrections.taken_by_others', 'SELECT corrections.taken_by_others($1) > 0 AS taken');
/** True if another case of the same transaction is paid, or is proposed to be. */
export const isTakenByOthers = async (queries: Queries, deposit: string): Promise<boolean> =>
  (await queries.query<{ taken: boolean }>(BY_OTHERS, [deposit]))[0]?.taken === true;

/** Units already corrected of a transfer or a deposit, or proposed to be. */
export async function takenOf(queries: Queries, transfer: bigint | null, deposit: string | null): Promise<bigint> {
  const [row] = await queries.query<{ units: string }>(TAKEN, [transfer, deposit]);
  return BigInt(row?.units ?? 0);
}
/**
 * Units corrected or proposed for this customer within a month, or by this maker within a day. Until the transaction
 * ends, nobody else can add to them. With it, the most that the database lets through without compliance.
 */
export async function sumLately(
  queries: Queries,
  customer: bigint,
  maker: bigint,
  asset: AssetCode,
  isDebit: boolean,
): Promise<{ readonly units: bigint; readonly smallMax: bigint }> {
  const values = [customer, maker, asset, isDebit];
  const [row] = await queries.query<{ units: string; small_max: string }>(LATELY, values);
  if (!row) throw new Error('the sum of corrections has no row');
  return { units: BigInt(row.units), smallMax: BigInt(row.small_max) };
}
export async function announceCorrection(queries: Queries, id: string, dueAt: Date): Promise<void> {
  await queries.query(ANNOUNCE, [id, dueAt]);
}
export async function finishCorrection(
  queries: Queries,
  id: string,
  { moved, journal, at }: { readonly moved: bigint; readonly journal: string | null; readonly at: Date },
): Promise<void> {
  await queries.query(FINISH, [id, moved, journal, at]);
}
export const stopCorrectionRow = async (queries: Queries, id: string, by: bigint, at: Date): Promise<boolean> =>
  (await queries.query(STOP, [id, by, at])).length > 0;
/** Follows approvals that were rejected, withdrawn or have expired. */
export async function closeEnded(queries: Queries): Promise<void> {
  await queries.query(CLOSE_ENDED);
}
export const listDue = (queries: Queries): Promise<CorrectionRow[]> => queries.query<CorrectionRow>(DUE);
export const listRecent = (queries: Queries, since: Date): Promise<CorrectionRow[]> =>
  queries.query<CorrectionRow>(RECENT, [since]);
