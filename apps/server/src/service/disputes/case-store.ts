import type { Language } from '@sathorn/text';
import { type Queries, statement } from '../../platform/database/index.ts';

export type DisputeState = 'open' | 'second_look' | 'closed';

/** The common part of disputes about trades and about money. */
export interface CaseRow {
  readonly id: string;
  readonly customer: bigint;
  readonly statement: string;
  readonly language: Language;
  readonly opened_at: Date;
  readonly deadline: Date;
  readonly state: DisputeState;
  readonly version: number;
  readonly finding: string | null;
  readonly answer: string | null;
  readonly approval: string | null;
  readonly first_by: bigint | null;
  readonly first_at: Date | null;
  readonly second_by: bigint | null;
  readonly second_at: Date | null;
}
const COMMON =
  'id, customer, statement, language, opened_at, deadline, state, version, finding, answer, approval, first_by, first_at, second_by, second_at';

export type TradeFinding = 'recomputed_same' | 'void_by_rule' | 'fault_confirmed';
export interface TradeDisputeRow extends CaseRow {
  readonly order_id: string;
  readonly finding: TradeFinding | null;
  readonly fault_by: bigint | null;
  readonly fault_at: Date | null;
}

export type MoneySubject = 'deposit' | 'withdrawal' | 'correction';
export type MoneyFinding = 'as_recorded' | 'corrected';
export interface MoneyDisputeRow extends CaseRow {
  readonly subject_kind: MoneySubject;
  readonly subject: string;
  readonly finding: MoneyFinding | null;
  readonly correction: string | null;
}

export interface CasePlace {
  readonly at: Date;
  readonly id: string;
}
interface CaseCounts {
  readonly open: number;
  readonly second_look: number;
  readonly overdue: number;
  readonly oldest: Date | null;
  /** The number of disputes closed since the given moment, and how many of them confirmed a fault. */
  readonly closed: number;
  readonly faults: number;
}

export interface CaseStore<Row extends CaseRow> {
  find(queries: Queries, id: string): Promise<Row | null>;
  lock(queries: Queries, id: string): Promise<Row | null>;
  /** Closed ones newest first, others oldest first. */
  list(queries: Queries, state: DisputeState, after: CasePlace | null, limit: number): Promise<Row[]>;
  /** Newest first. `about` is the id of the disputed subject. */
  listOf(
    queries: Queries,
    customer: bigint,
    before: CasePlace | null,
    limit: number,
    about?: string | null,
  ): Promise<Row[]>;
  count(queries: Queries, closedSince: Date, overdueBefore: Date): Promise<CaseCounts>;
  propose(
    queries: Queries,
    row: Row,
    proposal: {
      readonly finding: NonNullable<Row['finding']>;
      readonly correction: string | null;
      readonly answer: string;
      readonly approval: string;
      readonly by: bigint;
      readonly at: Date;
    },
  ): Promise<void>;
  /** Returns false if the dispute isn't waiting for this approval. */
  close(
    queries: Queries,
    id: string,
    second: { readonly by: bigint; readonly at: Date },
    approval: string,
  ): Promise<boolean>;
}

function openCaseStore<Row extends CaseRow>(
  table: 'dispute' | 'money_dispute',
  about: 'order_id' | 'subject',
  own: string,
): CaseStore<Row> {
  const from = `SELECT ${COMMON}, ${own} FROM disputes.${table}`;
  const named = (name: string, text: string) => statement(`disputes.${table}_${name}`, text);
  const FIND = named('find', `${from} WHERE id = $1`);
  const LOCK = named('lock', `${from} WHERE id = $1 FOR UPDATE`);
  const LIST_WAITING = named(
    'list_waiting',
    `${from} WHERE state = $1 AND ($2::timestamptz IS NULL OR (opened_at, id) > ($2, $3::uuid)) ORDER BY opened_at, id LIMIT $4`,
  );
  const LIST_CLOSED = named(
    'list_closed',
    `${from} WHERE state = 'closed' AND ($1::timestamptz IS NULL OR (second_at, id) < ($1, $2::uuid)) ORDER BY second_at DESC, id DESC LIMIT $3`,
  );
  const LIST_OF = named(
    'list_of',
    `${from} WHERE customer = $1 AND ($2::timestamptz IS NULL OR (opened_at, id) < ($2, $3::uuid)) AND ($4::uuid IS NULL OR ${about} = $4)
     ORDER BY opened_at DESC, id DESC LIMIT $5`,
  );
  const COUNT = named(
    'count',
    `SELECT count(*) FILTER (WHERE state = 'open')::integer AS open, count(*) FILTER (WHERE state = 'second_look')::integer AS second_look,
       count(*) FILTER (WHERE state <> 'closed' AND opened_at < $2)::integer AS overdue, min(opened_at) FILTER (WHERE state <> 'closed') AS oldest,
       count(*) FILTER (WHERE second_at > $1)::integer AS closed,
       count(*) FILTER (WHERE second_at > $1 AND finding = 'fault_confirmed')::integer AS faults
     FROM disputes.${table} WHERE state <> 'closed' OR second_at > $1`,
  );
  const hasCorrection = table === 'money_dispute';
  const PROPOSE = named(
    'propose',
    `UPDATE disputes.${table} SET state = 'second_look', version = version + 1, finding = $3, answer = $4, approval = $5, first_by = $6, first_at = $7
     ${hasCorrection ? ', correction = $8' : ''} WHERE id = $1 AND version = $2 AND state <> 'closed'`,
  );
  const CLOSE = named(
    'close',
    `UPDATE disputes.${table} SET state = 'closed', version = version + 1, second_by = $2, second_at = $3
     WHERE id = $1 AND state = 'second_look' AND approval = $4 RETURNING id`,
  );
  return {
    find: async (queries, id) => (await queries.query<Row>(FIND, [id]))[0] ?? null,
    lock: async (queries, id) => (await queries.query<Row>(LOCK, [id]))[0] ?? null,
    list(queries, state, after, limit) {
      const place = [after?.at ?? null, after?.id ?? null, limit];
      return state === 'closed'
        ? queries.query<Row>(LIST_CLOSED, place)
        : queries.query<Row>(LIST_WAITING, [state, ...place]);
    },
    listOf: (queries, customer, before, limit, id = null) =>
      queries.query<Row>(LIST_OF, [customer, before?.at ?? null, before?.id ?? null, id, limit]),
    async count(queries, closedSince, overdueBefore) {
      const [counts] = await queries.query<CaseCounts>(COUNT, [closedSince, overdueBefore]);
      if (!counts) throw new Error('a count has one row');
      return counts;
    },
    async propose(queries, { id, version }, { finding, correction, answer, approval, by, at }) {
      const values = [id, version, finding, answer, approval, by, at];
      await queries.query(PROPOSE, hasCorrection ? [...values, correction] : values);
    },
    close: async (queries, id, { by, at }, approval) => (await queries.query(CLOSE, [id, by, at, approval])).length > 0,
  };
}

export const TRADE_CASES = openCaseStore<TradeDisputeRow>('dispute', 'order_id', 'order_id, fault_by, fault_at');
export const MONEY_CASES = openCaseStore<MoneyDisputeRow>(
  'money_dispute',
  'subject',
  'subject_kind, subject, correction',
);

const INSERT = statement(
  'disputes.insert_dispute',
  'INSERT INTO disputes.dispute (id, customer, order_id, statement, language, opened_at, deadline) VALUES ($1, $2, $3, $4, $5, $6, $7)',
);
export async function insertTradeDispute(
  queries: Queries,
  row: Pick<TradeDisputeRow, 'id' | 'customer' | 'order_id' | 'statement' | 'language' | 'opened_at' | 'deadline'>,
): Promise<void> {
  const { id, customer, order_id: order, statement: said, language, opened_at: at, deadline } = row;
  await queries.query(INSERT, [id, customer, order, said, language, at, deadline]);
}
// If two requests come at once, the second finds the row, or the unique index on open disputes stops it.
const INSERT_MONEY = statement(
  'disputes.insert_money',
  `INSERT INTO disputes.money_dispute (id, customer, subject_kind, subject, statement, language, opened_at, deadline)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`,
);
/** Returns false if its subject has an open dispute. */
export async function insertMoneyDispute(
  queries: Queries,
  row: Pick<
    MoneyDisputeRow,
    'id' | 'customer' | 'subject_kind' | 'subject' | 'statement' | 'language' | 'opened_at' | 'deadline'
  >,
): Promise<boolean> {
  const { id, customer, subject_kind: kind, subject, statement: said, language, opened_at: at, deadline } = row;
  return (await queries.query(INSERT_MONEY, [id, customer, kind, subject, said, language, at, deadline])).length > 0;
}
const COUNT_OPEN_OF = statement(
  'disputes.count_money_of_customer',
  `SELECT count(*)::integer AS open FROM disputes.money_dispute WHERE customer = $1 AND state <> 'closed'`,
);
export const countOpenCases = async (queries: Queries, customer: bigint): Promise<number> =>
  (await queries.query<{ open: number }>(COUNT_OPEN_OF, [customer]))[0]?.open ?? 0;

const FAULT = statement(
  'disputes.note_fault',
  'UPDATE disputes.dispute SET version = version + 1, fault_by = $2, fault_at = $3 WHERE id = $1',
);
export async function markFaultReported(queries: Queries, id: string, by: bigint, at: Date): Promise<void> {
  await queries.query(FAULT, [id, by, at]);
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
type AnyFinding = TradeFinding | MoneyFinding;
export interface DisputeFigures {
  readonly opened: number;
  readonly waiting: number;
  /** Answered after the promised deadline, or still waiting after it. */
  readonly late: number;
  readonly medianSeconds: number | null;
  readonly answered: Readonly<Record<AnyFinding, number>>;
}
/** Disputes about trades and about money since then; waiting ones count whenever they were opened. */
export async function readDisputeFigures(queries: Queries, since: Date, now: Date): Promise<DisputeFigures> {
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
