import type { Language } from '@sathorn/text';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { DisputeState, Place } from './dispute-store.ts';

export type MoneySubject = 'deposit' | 'withdrawal' | 'correction';
export type MoneyFinding = 'as_recorded' | 'corrected';

export interface MoneyDisputeRow {
  readonly id: string;
  readonly customer: bigint;
  readonly subject_kind: MoneySubject;
  readonly subject: string;
  readonly statement: string;
  readonly language: Language;
  readonly opened_at: Date;
  readonly deadline: Date;
  readonly state: DisputeState;
  readonly version: number;
  readonly finding: MoneyFinding | null;
  readonly answer: string | null;
  readonly correction: string | null;
  readonly approval: string | null;
  readonly first_by: bigint | null;
  readonly first_at: Date | null;
  readonly second_by: bigint | null;
  readonly second_at: Date | null;
}

const COLUMNS =
  'id, customer, subject_kind, subject, statement, language, opened_at, deadline, state, version, finding, answer, correction, approval, first_by, first_at, second_by, second_at';
const FROM = `SELECT ${COLUMNS} FROM disputes.money_dispute`;

// Two requests at once: the second finds the row, or the unique index on open disputes stops it.
const INSERT = statement(
  'disputes.insert_money',
  `INSERT INTO disputes.money_dispute (id, customer, subject_kind, subject, statement, language, opened_at, deadline)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`,
);
const FIND = statement('disputes.find_money', `${FROM} WHERE id = $1`);
const LOCK = statement('disputes.lock_money', `${FROM} WHERE id = $1 FOR UPDATE`);
const LIST_WAITING = statement(
  'disputes.list_money_waiting',
  `${FROM} WHERE state = $1 AND ($2::timestamptz IS NULL OR (opened_at, id) > ($2, $3::uuid)) ORDER BY opened_at, id LIMIT $4`,
);
const LIST_CLOSED = statement(
  'disputes.list_money_closed',
  `${FROM} WHERE state = 'closed' AND ($1::timestamptz IS NULL OR (second_at, id) < ($1, $2::uuid)) ORDER BY second_at DESC, id DESC LIMIT $3`,
);
const LIST_OF = statement(
  'disputes.list_money_of_customer',
  `${FROM} WHERE customer = $1 AND ($2::timestamptz IS NULL OR (opened_at, id) < ($2, $3::uuid)) AND ($4::uuid IS NULL OR subject = $4)
   ORDER BY opened_at DESC, id DESC LIMIT $5`,
);
const COUNT_OPEN_OF = statement(
  'disputes.count_money_of_customer',
  `SELECT count(*)::integer AS open FROM disputes.money_dispute WHERE customer = $1 AND state <> 'closed'`,
);
const COUNTS = statement(
  'disputes.count_money',
  `SELECT count(*) FILTER (WHERE state = 'open')::integer AS open, count(*) FILTER (WHERE state = 'second_look')::integer AS second_look,
     count(*) FILTER (WHERE opened_at < $1)::integer AS overdue, min(opened_at) AS oldest
   FROM disputes.money_dispute WHERE state <> 'closed'`,
);
const PROPOSE = statement(
  'disputes.propose_money',
  `UPDATE disputes.money_dispute SET state = 'second_look', version = version + 1, finding = $2, answer = $3, correction = $4, approval = $5,
     first_by = $6, first_at = $7 WHERE id = $1`,
);
const CLOSE = statement(
  'disputes.close_money',
  `UPDATE disputes.money_dispute SET state = 'closed', version = version + 1, second_by = $2, second_at = $3 WHERE id = $1`,
);

export async function insertMoneyDispute(
  queries: Queries,
  row: Pick<
    MoneyDisputeRow,
    'id' | 'customer' | 'subject_kind' | 'subject' | 'statement' | 'language' | 'opened_at' | 'deadline'
  >,
): Promise<boolean> {
  const { id, customer, subject_kind: kind, subject, statement: said, language, opened_at: at, deadline } = row;
  return (await queries.query(INSERT, [id, customer, kind, subject, said, language, at, deadline])).length > 0;
}
export const findMoneyDispute = async (queries: Queries, id: string): Promise<MoneyDisputeRow | null> =>
  (await queries.query<MoneyDisputeRow>(FIND, [id]))[0] ?? null;
export const lockMoneyDispute = async (queries: Queries, id: string): Promise<MoneyDisputeRow | null> =>
  (await queries.query<MoneyDisputeRow>(LOCK, [id]))[0] ?? null;
export const listMoneyRows = (
  queries: Queries,
  state: DisputeState,
  after: Place | null,
  limit: number,
): Promise<MoneyDisputeRow[]> =>
  state === 'closed'
    ? queries.query<MoneyDisputeRow>(LIST_CLOSED, [after?.at ?? null, after?.id ?? null, limit])
    : queries.query<MoneyDisputeRow>(LIST_WAITING, [state, after?.at ?? null, after?.id ?? null, limit]);
export const listMoneyOf = (
  queries: Queries,
  customer: bigint,
  before: Place | null,
  subject: string | null,
  limit: number,
): Promise<MoneyDisputeRow[]> =>
  queries.query<MoneyDisputeRow>(LIST_OF, [customer, before?.at ?? null, before?.id ?? null, subject, limit]);
export const countOpenOf = async (queries: Queries, customer: bigint): Promise<number> =>
  (await queries.query<{ open: number }>(COUNT_OPEN_OF, [customer]))[0]?.open ?? 0;

export interface MoneyCounts {
  readonly open: number;
  readonly second_look: number;
  readonly overdue: number;
  readonly oldest: Date | null;
}
export async function countMoney(queries: Queries, overdueBefore: Date): Promise<MoneyCounts> {
  const [row] = await queries.query<MoneyCounts>(COUNTS, [overdueBefore]);
  return row ?? { open: 0, second_look: 0, overdue: 0, oldest: null };
}
export async function proposeOnMoney(
  queries: Queries,
  id: string,
  proposal: {
    readonly finding: MoneyFinding;
    readonly answer: string;
    readonly correction: string | null;
    readonly approval: string;
    readonly by: bigint;
    readonly at: Date;
  },
): Promise<void> {
  const { finding, answer, correction, approval, by, at } = proposal;
  await queries.query(PROPOSE, [id, finding, answer, correction, approval, by, at]);
}
export async function closeMoneyDispute(
  queries: Queries,
  id: string,
  second: { readonly by: bigint; readonly at: Date },
): Promise<void> {
  await queries.query(CLOSE, [id, second.by, second.at]);
}
