import { type AssetCode, type Money, money } from '@sathorn/money';
import type { CorrectionKind } from '@sathorn/settlement';
import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

type CorrectionStep = 'proposed' | 'announced' | 'done' | 'stopped' | 'rejected' | 'withdrawn' | 'expired';
export type CorrectionReason =
  | 'charged_twice'
  | 'fee_wrong'
  | 'credited_wrongly'
  | 'settlement_fault'
  | 'deposit_lost'
  | 'kept_receipt'
  | 'goodwill'
  | 'reorg';

const { uuid, text, bigint, integer, time, nullable } = column;
const MADE = {
  id: uuid,
  customer_id: bigint,
  kind: text<CorrectionKind>(),
  asset: text<AssetCode>(),
  units: bigint,
  /** The chart's code of the house's account that pays the correction or is repaid by it. */
  house: integer,
  transfer: nullable(bigint),
  deposit: nullable(uuid),
  /** SHA-256 of the signed terms whose receipt is paid. */
  kept: nullable(text<string>()),
  reason: text<CorrectionReason>(),
  words: text<string>(),
  case_kind: text<'dispute' | 'journal' | 'incident' | 'deposit' | 'kept'>(),
  case_id: uuid,
  approval: uuid,
  made_by: bigint,
  made_at: time,
  expires_at: time,
};
const STORED = {
  ...MADE,
  number: bigint,
  step: text<CorrectionStep>(),
  version: integer,
  due_at: nullable(time),
  moved: bigint,
  journal: nullable(uuid),
  ended_at: nullable(time),
  stopped_by: nullable(bigint),
};
const [NEW_CORRECTIONS, CORRECTIONS] = [table<RowOf<typeof MADE>>(MADE), table<RowOf<typeof STORED>>(STORED)];

/** A row whose amounts are all of one asset. */
type InMoney<Row> = Omit<Row, 'asset' | 'units'> & { readonly amount: Money };
export type NewCorrection = InMoney<RowOf<typeof MADE>>;
export type CorrectionRow = InMoney<Omit<RowOf<typeof STORED>, 'moved'>> & { readonly moved: Money };

const query = (name: string, rest: string) => {
  const said = statement(`corrections.${name}`, `SELECT ${CORRECTIONS.names} FROM corrections.correction ${rest}`);
  return async (queries: Queries, ...values: unknown[]): Promise<CorrectionRow[]> =>
    (await CORRECTIONS.query(queries, said, values)).map(({ asset, units, moved, ...row }) => ({
      ...row,
      amount: money(asset, units),
      moved: money(asset, moved),
    }));
};

const INSERT = statement('corrections.insert', NEW_CORRECTIONS.insertOneInto('corrections.correction'));
const read = query('read', 'WHERE id = $1');
const lock = query('lock', 'WHERE id = $1 FOR UPDATE');
const lists = {
  waiting: query(
    'list_waiting',
    "WHERE step = 'proposed' AND ($1::bigint IS NULL OR number > $1) ORDER BY number LIMIT $2",
  ),
  announced: query(
    'list_announced',
    "WHERE step = 'announced' AND ($1::bigint IS NULL OR number > $1) ORDER BY number LIMIT $2",
  ),
  posted: query(
    'list_posted',
    "WHERE step = 'done' AND ($1::bigint IS NULL OR number < $1) ORDER BY number DESC LIMIT $2",
  ),
  closed: query(
    'list_closed',
    `WHERE step IN ('stopped', 'rejected', 'withdrawn', 'expired') AND ($1::bigint IS NULL OR number < $1)
     ORDER BY number DESC LIMIT $2`,
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
// The customer sees only what two people agreed to.
const ofCustomer = query(
  'list_of_customer',
  `WHERE customer_id = $1 AND step IN ('announced', 'done', 'stopped') AND ($2::bigint IS NULL OR number < $2)
     AND ($3::uuid IS NULL OR id = $3 OR journal = $3) ORDER BY number DESC LIMIT $4`,
);
const ofCase = query('list_of_case', 'WHERE case_kind = $1 AND case_id = $2 ORDER BY number');
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
const due = query(
  'list_due',
  "WHERE step = 'announced' AND due_at <= clock_timestamp() AND corrections.may_post() ORDER BY number LIMIT 100",
);
const recent = query('list_recent', "WHERE step = 'announced' OR step IN ('done', 'stopped') AND ended_at > $1");

export async function insertCorrection(queries: Queries, { amount, ...row }: NewCorrection): Promise<void> {
  const { asset, units } = amount;
  await queries.query(INSERT, NEW_CORRECTIONS.valuesOf({ ...row, asset, units }));
}
/** True if the operator proposed, approved or matched the transfer. */
export const hasTakenPartIn = async (queries: Queries, transfer: bigint, operator: bigint): Promise<boolean> =>
  (await queries.query<{ took_part: boolean }>(PEOPLE, [transfer, operator]))[0]?.took_part ?? false;
export const findCorrection = async (queries: Queries, id: string): Promise<CorrectionRow | null> =>
  (await read(queries, id))[0] ?? null;
export const lockCorrection = async (queries: Queries, id: string): Promise<CorrectionRow | null> =>
  (await lock(queries, id))[0] ?? null;
export const listCorrectionRows = (
  queries: Queries,
  tab: keyof typeof lists,
  after: bigint | null,
  limit: number,
): Promise<CorrectionRow[]> => lists[tab](queries, after, limit);
export async function countCorrections(
  queries: Queries,
): Promise<{ readonly waiting: number; readonly announced: number; readonly oldest: Date | null }> {
  const [row] = await queries.query<{ waiting: number; announced: number; oldest: Date | null }>(COUNT);
  return row ?? { waiting: 0, announced: 0, oldest: null };
}
export async function sumCorrections(
  queries: Queries,
  since: Date,
): Promise<{ readonly kind: CorrectionKind; readonly count: number; readonly amount: Money }[]> {
  const rows = await queries.query<{ kind: CorrectionKind; asset: AssetCode; count: number; units: bigint }>(SUMS, [
    since,
  ]);
  return rows.map(({ kind, asset, count, units }) => ({ kind, count, amount: money(asset, units) }));
}
export const listOwnCorrectionRows = (
  queries: Queries,
  customer: bigint,
  before: bigint | null,
  id: string | null,
  limit: number,
): Promise<CorrectionRow[]> => ofCustomer(queries, customer, before, id, limit);
export const listCorrectionsOfCase = (
  queries: Queries,
  kind: CorrectionRow['case_kind'],
  id: string,
): Promise<CorrectionRow[]> => ofCase(queries, kind, id);
const UNDONE = statement(
  'corrections.is_undone',
  "SELECT CASE $2 WHEN 'reverse' THEN corrections.is_undone($1) ELSE corrections.is_of_open_payout($1) END AS undone",
);
/**
 * True if nothing is left to correct. Either the chain has reversed this credit, or a withdrawal has returned the
 * amount, which it may do until it is done.
 */
export const isTransferUndone = async (queries: Queries, transfer: bigint, kind: CorrectionKind): Promise<boolean> =>
  (await queries.query<{ undone: boolean }>(UNDONE, [transfer, kind]))[0]?.undone === true;

const BY_OTHERS = statement('corrections.taken_by_others', 'SELECT corrections.taken_by_others($1) > 0 AS taken');
/** True if another case of the same transaction is paid, or is proposed to be. */
export const isDepositTakenByOthers = async (queries: Queries, deposit: string): Promise<boolean> =>
  (await queries.query<{ taken: boolean }>(BY_OTHERS, [deposit]))[0]?.taken === true;

/** The sum that was corrected, or is proposed to be, of a transfer or a deposit of this asset. */
export async function sumCorrected(
  queries: Queries,
  asset: AssetCode,
  {
    transfer = null,
    deposit = null,
  }: { readonly transfer?: bigint | undefined | null; readonly deposit?: string | undefined | null },
): Promise<Money> {
  const [row] = await queries.query<{ units: string }>(TAKEN, [transfer, deposit]);
  return money(asset, BigInt(row?.units ?? 0));
}
/**
 * The sums that were corrected or proposed: for this customer within a month, and by this maker within a day. Locks
 * them until the transaction ends. Also returns the most that the database allows without compliance.
 */
export async function sumRecentCorrections(
  queries: Queries,
  customer: bigint,
  maker: bigint,
  asset: AssetCode,
  isDebit: boolean,
): Promise<{ readonly sum: Money; readonly smallMax: Money }> {
  const values = [customer, maker, asset, isDebit];
  const [row] = await queries.query<{ units: string; small_max: string }>(LATELY, values);
  if (!row) throw new Error('the sum of corrections has no row');
  return { sum: money(asset, BigInt(row.units)), smallMax: money(asset, BigInt(row.small_max)) };
}
export async function announceCorrection(queries: Queries, id: string, dueAt: Date): Promise<void> {
  await queries.query(ANNOUNCE, [id, dueAt]);
}
export async function finishCorrection(
  queries: Queries,
  id: string,
  { moved, journal, at }: { readonly moved: Money; readonly journal: string | null; readonly at: Date },
): Promise<void> {
  await queries.query(FINISH, [id, moved.units, journal, at]);
}
export const stopCorrectionRow = async (queries: Queries, id: string, by: bigint, at: Date): Promise<boolean> =>
  (await queries.query(STOP, [id, by, at])).length > 0;
/** Closes corrections whose approvals were rejected, were withdrawn or have expired. */
export async function closeEndedCorrections(queries: Queries): Promise<void> {
  await queries.query(CLOSE_ENDED);
}
export const listDueCorrections = (queries: Queries): Promise<CorrectionRow[]> => due(queries);
export const listRecentCorrections = (queries: Queries, since: Date): Promise<CorrectionRow[]> =>
  recent(queries, since);
