import type { Language } from '@sathorn/text';
import { type Queries, statement } from '../../platform/database/index.ts';

export type Finding = 'recomputed_same' | 'void_by_rule' | 'fault_confirmed';
export type DisputeState = 'open' | 'second_look' | 'closed';

export interface DisputeRow {
  readonly id: string;
  readonly customer: bigint;
  readonly order_id: string;
  readonly statement: string;
  readonly language: Language;
  readonly opened_at: Date;
  readonly deadline: Date;
  readonly state: DisputeState;
  readonly version: number;
  readonly finding: Finding | null;
  readonly answer: string | null;
  readonly approval: string | null;
  readonly first_by: bigint | null;
  readonly first_at: Date | null;
  readonly second_by: bigint | null;
  readonly second_at: Date | null;
  readonly fault_by: bigint | null;
  readonly fault_at: Date | null;
}

const COLUMNS =
  'id, customer, order_id, statement, language, opened_at, deadline, state, version, finding, answer, approval, first_by, first_at, second_by, second_at, fault_by, fault_at';

const INSERT = statement(
  'disputes.insert_dispute',
  'INSERT INTO disputes.dispute (id, customer, order_id, statement, language, opened_at, deadline) VALUES ($1, $2, $3, $4, $5, $6, $7)',
);
const FIND = statement('disputes.find_dispute', `SELECT ${COLUMNS} FROM disputes.dispute WHERE id = $1`);
const LOCK = statement('disputes.lock_dispute', `SELECT ${COLUMNS} FROM disputes.dispute WHERE id = $1 FOR UPDATE`);
const LIST_WAITING = statement(
  'disputes.list_waiting',
  `SELECT ${COLUMNS} FROM disputes.dispute WHERE state = $1 AND ($2::timestamptz IS NULL OR (opened_at, id) > ($2, $3::uuid))
   ORDER BY opened_at, id LIMIT $4`,
);
const LIST_CLOSED = statement(
  'disputes.list_closed',
  `SELECT ${COLUMNS} FROM disputes.dispute WHERE state = 'closed' AND ($1::timestamptz IS NULL OR (second_at, id) < ($1, $2::uuid))
   ORDER BY second_at DESC, id DESC LIMIT $3`,
);
const LIST_OF = statement(
  'disputes.list_of_customer',
  `SELECT ${COLUMNS} FROM disputes.dispute WHERE customer = $1 AND ($2::timestamptz IS NULL OR (opened_at, id) < ($2, $3::uuid))
   ORDER BY opened_at DESC, id DESC LIMIT $4`,
);
const COUNTS = statement(
  'disputes.count_disputes',
  `SELECT count(*) FILTER (WHERE state = 'open') AS open, count(*) FILTER (WHERE state = 'second_look') AS second_look,
     count(*) FILTER (WHERE state <> 'closed' AND opened_at < $2) AS overdue, min(opened_at) FILTER (WHERE state <> 'closed') AS oldest,
     count(*) FILTER (WHERE second_at > $1) AS closed, count(*) FILTER (WHERE second_at > $1 AND finding = 'fault_confirmed') AS faults
   FROM disputes.dispute WHERE state <> 'closed' OR second_at > $1`,
);
const PROPOSE = statement(
  'disputes.propose_answer',
  `UPDATE disputes.dispute SET state = 'second_look', version = version + 1, finding = $3, answer = $4, approval = $5, first_by = $6, first_at = $7
   WHERE id = $1 AND version = $2 AND state <> 'closed'`,
);
const CLOSE = statement(
  'disputes.close_dispute',
  `UPDATE disputes.dispute SET state = 'closed', version = version + 1, second_by = $2, second_at = $3
   WHERE id = $1 AND state = 'second_look' AND approval = $4 RETURNING id`,
);
const FAULT = statement(
  'disputes.note_fault',
  'UPDATE disputes.dispute SET version = version + 1, fault_by = $2, fault_at = $3 WHERE id = $1',
);

export async function insertDispute(
  queries: Queries,
  dispute: Pick<DisputeRow, 'id' | 'customer' | 'order_id' | 'statement' | 'language' | 'opened_at' | 'deadline'>,
): Promise<void> {
  const { id, customer, order_id, statement: said, language, opened_at, deadline } = dispute;
  await queries.query(INSERT, [id, customer, order_id, said, language, opened_at, deadline]);
}
export async function findDispute(queries: Queries, id: string): Promise<DisputeRow | null> {
  return (await queries.query<DisputeRow>(FIND, [id]))[0] ?? null;
}
export async function lockDispute(queries: Queries, id: string): Promise<DisputeRow | null> {
  return (await queries.query<DisputeRow>(LOCK, [id]))[0] ?? null;
}

export interface Place {
  readonly at: Date;
  readonly id: string;
}
export function listDisputeRows(
  queries: Queries,
  state: DisputeState,
  after: Place | null,
  limit: number,
): Promise<DisputeRow[]> {
  const place = [after?.at ?? null, after?.id ?? null, limit];
  return state === 'closed'
    ? queries.query<DisputeRow>(LIST_CLOSED, place)
    : queries.query<DisputeRow>(LIST_WAITING, [state, ...place]);
}
export function listOfCustomer(
  queries: Queries,
  customer: bigint,
  before: Place | null,
  limit: number,
): Promise<DisputeRow[]> {
  return queries.query<DisputeRow>(LIST_OF, [customer, before?.at ?? null, before?.id ?? null, limit]);
}

export interface DisputeCounts {
  readonly open: number;
  readonly secondLook: number;
  readonly overdue: number;
  readonly oldest: Date | null;
  readonly closed: number;
  readonly faults: number;
}
export async function countDisputes(queries: Queries, since: Date, overdueBefore: Date): Promise<DisputeCounts> {
  const [row] = await queries.query<
    { [Name in 'open' | 'second_look' | 'overdue' | 'closed' | 'faults']: bigint } & { oldest: Date | null }
  >(COUNTS, [since, overdueBefore]);
  const of = (name: 'open' | 'second_look' | 'overdue' | 'closed' | 'faults'): number => Number(row?.[name] ?? 0n);
  return {
    open: of('open'),
    secondLook: of('second_look'),
    overdue: of('overdue'),
    oldest: row?.oldest ?? null,
    closed: of('closed'),
    faults: of('faults'),
  };
}

const FIGURES = statement(
  'disputes.read_figures',
  `SELECT count(*) FILTER (WHERE opened_at >= $1) AS opened, count(*) FILTER (WHERE state <> 'closed') AS waiting,
     count(*) FILTER (WHERE coalesce(second_at, $2) > deadline) AS late,
     ceil(extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (ORDER BY second_at - opened_at) FILTER (WHERE second_at >= $1)))::bigint AS median,
     count(*) FILTER (WHERE second_at >= $1 AND finding = 'recomputed_same') AS recomputed_same,
     count(*) FILTER (WHERE second_at >= $1 AND finding = 'void_by_rule') AS void_by_rule,
     count(*) FILTER (WHERE second_at >= $1 AND finding = 'fault_confirmed') AS fault_confirmed,
     count(*) FILTER (WHERE second_at >= $1 AND finding = 'as_recorded') AS as_recorded,
     count(*) FILTER (WHERE second_at >= $1 AND finding = 'corrected') AS corrected
   FROM (SELECT opened_at, deadline, state, second_at, finding FROM disputes.dispute
     UNION ALL SELECT opened_at, deadline, state, second_at, finding FROM disputes.money_dispute) AS every
   WHERE state <> 'closed' OR second_at >= $1 OR opened_at >= $1`,
);
type AnyFinding = Finding | 'as_recorded' | 'corrected';
export interface DisputeFigures {
  readonly opened: number;
  readonly waiting: number;
  /** Answered after the deadline that the customer was promised, or still waiting after it. */
  readonly late: number;
  readonly medianSeconds: number | null;
  readonly answered: Readonly<Record<AnyFinding, number>>;
}
/** Disputes of options and of money since then; those that wait now count whenever they were opened. */
export async function readFigures(queries: Queries, since: Date, now: Date): Promise<DisputeFigures> {
  type Count = 'opened' | 'waiting' | 'late' | AnyFinding;
  const [row] = await queries.query<Record<Count, bigint> & { median: bigint | null }>(FIGURES, [since, now]);
  const of = (name: Count): number => Number(row?.[name] ?? 0n);
  const median = row?.median ?? null;
  return {
    opened: of('opened'),
    waiting: of('waiting'),
    late: of('late'),
    medianSeconds: median === null ? null : Number(median),
    answered: {
      recomputed_same: of('recomputed_same'),
      void_by_rule: of('void_by_rule'),
      fault_confirmed: of('fault_confirmed'),
      as_recorded: of('as_recorded'),
      corrected: of('corrected'),
    },
  };
}

export async function proposeOn(
  queries: Queries,
  { id, version }: Pick<DisputeRow, 'id' | 'version'>,
  proposal: {
    readonly finding: Finding;
    readonly answer: string;
    readonly approval: string;
    readonly by: bigint;
    readonly at: Date;
  },
): Promise<void> {
  const { finding, answer, approval, by, at } = proposal;
  await queries.query(PROPOSE, [id, version, finding, answer, approval, by, at]);
}
/** Closes the dispute; returns false if it isn't waiting for this approval. */
export async function closeDispute(
  queries: Queries,
  id: string,
  second: { readonly by: bigint; readonly at: Date },
  approval: string,
): Promise<boolean> {
  return (await queries.query(CLOSE, [id, second.by, second.at, approval])).length > 0;
}
export async function noteFault(queries: Queries, id: string, by: bigint, at: Date): Promise<void> {
  await queries.query(FAULT, [id, by, at]);
}
