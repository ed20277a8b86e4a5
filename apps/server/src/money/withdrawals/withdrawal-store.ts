import type { KeyObject } from 'node:crypto';
import type { DELAY_REASONS, WITHDRAWAL_REASONS, WITHDRAWAL_STEPS } from '@sathorn/api';
import { type Money, money, subtract } from '@sathorn/money';
import type { StoredAuthorisation } from '@sathorn/proof';
import type { MoneyFlow, PeopleThresholds } from '@sathorn/settlement';
import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';
import { WITHDRAWAL_SETTINGS } from './withdrawal-settings.ts';

export type WithdrawalStep = (typeof WITHDRAWAL_STEPS)[number];
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];
export type DelayReason = (typeof DELAY_REASONS)[number];
export const STEPS_IN_REVIEW: readonly WithdrawalStep[] = ['delayed', 'first_check', 'second_check'];

const { uuid, text, bigint, bytes, integer, time, nullable } = column;
const [usdt, thb] = [column.money('USDT'), column.money('THB')];
const REQUESTED = {
  id: uuid,
  order_number: text<string>(),
  customer_id: bigint,
  channel: text<string>(),
  kind: text<'crypto' | 'bank'>(),
  step: text<WithdrawalStep>(),
  /** Includes the fee. */
  amount: usdt,
  fee: usdt,
  rate: nullable(bigint),
  baht: nullable(thb),
  hold: bigint,
  fee_hold: nullable(bigint),
  people: integer,
  quote: nullable(uuid),
  payee_id: text<string>(),
  payee_name: text<string>(),
  chain: nullable(text<string>()),
  address: nullable(text<string>()),
  /** Set for wallets only. Opens the payee's commitment to its address, so that the database can compare the two. */
  payee_opening: nullable(bytes),
  payee_sealed: nullable(bytes),
  receiver: nullable(bigint),
  created_at: time,
  promised_at: time,
  delayed_until: nullable(time),
  delay_reason: nullable(text<DelayReason>()),
};
/** The request, which never changes. */
export type RequestedWithdrawal = RowOf<typeof REQUESTED>;
const WITHDRAWAL = {
  ...REQUESTED,
  reason: nullable(text<WithdrawalReason>()),
  approval: nullable(uuid),
  question: nullable(text<string>()),
  asked_at: nullable(time),
  answer: nullable(text<string>()),
  version: integer,
  sent_at: nullable(time),
  finished_at: nullable(time),
  hash: nullable(text<string>()),
  block_height: nullable(bigint),
  block_hash: nullable(text<string>()),
  export: nullable(uuid),
  reference: nullable(text<string>()),
};
export type WithdrawalRow = RowOf<typeof WITHDRAWAL>;
const WITHDRAWALS = table<WithdrawalRow>(WITHDRAWAL);

/** The amount that is paid out, in USDT. */
export const netAmountOf = ({ amount, fee }: Pick<RequestedWithdrawal, 'amount' | 'fee'>): Money<'USDT'> =>
  subtract(amount, fee);

const query = (name: string, rest: string) => {
  const said = statement(`withdrawals.${name}`, `SELECT ${WITHDRAWALS.names} FROM withdrawals.withdrawal w ${rest}`);
  return (queries: Queries, ...values: unknown[]): Promise<WithdrawalRow[]> => WITHDRAWALS.query(queries, said, values);
};

const NEW_WITHDRAWALS = table<RequestedWithdrawal>(REQUESTED);
// A payee's name is free text, which the array literals of a batch would not escape.
const INSERT = statement('withdrawals.insert', NEW_WITHDRAWALS.insertOneInto('withdrawals.withdrawal'));
export async function insertWithdrawal(queries: Queries, row: RequestedWithdrawal): Promise<void> {
  await queries.query(INSERT, NEW_WITHDRAWALS.valuesOf(row));
}

const INSERT_AUTHORISATION = statement(
  'withdrawals.insert_authorisation',
  'INSERT INTO withdrawals.authorisation (withdrawal_id, body, signature, key) VALUES ($1, $2, $3, $4)',
);
export async function insertAuthorisation(
  queries: Queries,
  id: string,
  { body, signature, key }: StoredAuthorisation,
): Promise<void> {
  await queries.query(INSERT_AUTHORISATION, [id, body, Buffer.from(signature, 'hex'), key]);
}

const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const byIds = query('read', 'WHERE id = ANY ($1::uuid[])');
export const readWithdrawals = (queries: Queries, ids: readonly string[]): Promise<WithdrawalRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : byIds(queries, arrayLiteral(ids));
/** Accepts an id from a request, which may not be a valid one. */
export const findWithdrawal = async (queries: Queries, id: string): Promise<WithdrawalRow | undefined> =>
  IS_UUID.test(id) ? readWithdrawal(queries, id) : undefined;
export const readWithdrawal = async (queries: Queries, id: string): Promise<WithdrawalRow | undefined> =>
  (await readWithdrawals(queries, [id]))[0];

const own = query('read_own', 'WHERE id = $1::uuid AND customer_id = $2');
/** Another customer's withdrawal gets the same answer as one that does not exist. */
export const readOwnWithdrawal = async (
  queries: Queries,
  id: string,
  customer: bigint,
): Promise<WithdrawalRow | undefined> => (IS_UUID.test(id) ? (await own(queries, id, customer))[0] : undefined);

const open = query(
  'read_open',
  "WHERE customer_id = $1 AND step NOT IN ('done', 'returned') ORDER BY created_at, id LIMIT 100",
);
export const readOpenWithdrawals = (queries: Queries, customer: bigint): Promise<WithdrawalRow[]> =>
  open(queries, customer);

const list = query(
  'list_own',
  `WHERE customer_id = $1 AND ($2::text = 'all' OR (step = 'done') = ($2 = 'completed'))
     AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
   ORDER BY created_at DESC, id DESC LIMIT $5 OFFSET $6`,
);
export interface WithdrawalListPlace {
  readonly at: Date;
  readonly id: string;
}
export const listWithdrawals = (
  queries: Queries,
  customer: bigint,
  status: 'all' | 'completed' | 'undone',
  after: WithdrawalListPlace | null,
  skip: number,
  limit: number,
): Promise<WithdrawalRow[]> => list(queries, customer, status, after?.at ?? null, after?.id ?? null, limit, skip);

const PAGE = 200;
/** Yields all rows, one page at a time, so that rows that cannot advance do not hide the others. */
async function* byPages(page: (after: string) => Promise<WithdrawalRow[]>): AsyncGenerator<WithdrawalRow> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await page(after);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = last.id;
  }
}
const IS_DUE = `(step = 'delayed' AND delayed_until <= $1 OR step = 'first_check' AND people = 0 OR step = 'approved' AND receiver IS NOT NULL
     OR step IN ('delayed', 'first_check') AND people > 0 AND approval IS NULL)`;
const due = query('read_due', `WHERE id > $2::uuid AND ${IS_DUE} ORDER BY id LIMIT ${PAGE}`);
/** Withdrawals whose next step needs no operator, and those whose approval has not been requested yet. */
export const readDueWithdrawals = (queries: Queries, now: Date): AsyncGenerator<WithdrawalRow> =>
  byPages((after) => due(queries, now, after));
const bankPayable = query(
  'read_bank_payable',
  'WHERE id IN (SELECT id FROM withdrawals.bank_payable) ORDER BY created_at, id LIMIT $1',
);
/** Approved bank payments in no run, oldest first. */
export const readBankPayable = (queries: Queries, limit: number): Promise<WithdrawalRow[]> =>
  bankPayable(queries, limit);
const IS_ON_ITS_WAY = "kind = 'crypto' AND step IN ('sending', 'sent_unknown', 'confirming')";
const onItsWay = query(
  'read_on_its_way',
  `WHERE chain = $1 AND ${IS_ON_ITS_WAY} AND id > $2::uuid ORDER BY id LIMIT ${PAGE}`,
);
/** Payouts of a chain that are sent but not final. */
export const readPayoutsOnTheirWay = (queries: Queries, chain: string): AsyncGenerator<WithdrawalRow> =>
  byPages((after) => onItsWay(queries, chain, after));

const IS_WAITING = statement(
  'withdrawals.is_waiting',
  `SELECT EXISTS (SELECT FROM withdrawals.withdrawal WHERE ${IS_DUE}) OR EXISTS (SELECT FROM withdrawals.withdrawal WHERE ${IS_ON_ITS_WAY})
     OR EXISTS (SELECT FROM withdrawals.sending WHERE step = 'sending') OR EXISTS (SELECT FROM withdrawals.unreleased)
     OR EXISTS (SELECT FROM withdrawals.foreign_run)
     OR EXISTS (SELECT FROM withdrawals.foreign_transfer WHERE journal IS NULL AND purpose <> 'payout')
     OR EXISTS (SELECT FROM withdrawals.bank_run WHERE step = 'open' AND lapses_at <= clock_timestamp())
     OR EXISTS (SELECT FROM withdrawals.adoptable) OR EXISTS (SELECT FROM withdrawals.paid_by_hand) AS is`,
);
/**
 * True if one of the statements of a round would return a row. Most rounds have nothing to do, so this saves those
 * statements.
 */
export async function hasDueWithdrawalWork(queries: Queries, now: Date): Promise<boolean> {
  const [row] = await queries.query<{ is: boolean }>(IS_WAITING, [now]);
  return row?.is === true;
}

const ADVANCE = statement('withdrawals.advance', 'SELECT withdrawals.advance($1, $2::text[], $3, $4, $5, $6)');
/** The database rejects it if the withdrawal is in none of the steps `from`. */
export async function advanceStep(
  queries: Queries,
  id: string,
  from: readonly WithdrawalStep[],
  to: WithdrawalStep,
  reason: WithdrawalReason | null,
  journal: string | null,
  at: Date,
): Promise<void> {
  await queries.query(ADVANCE, [id, arrayLiteral(from), to, reason, journal, at]);
}

const SEAL_REFUSAL = statement(
  'withdrawals.seal_refusal',
  'UPDATE withdrawals.withdrawal SET refusal_seal = $2 WHERE id = $1',
);
/** Seals that the chain refused this transaction. The checker's SQL composes the same text. */
export async function sealRefusal(
  queries: Queries,
  { id, hash }: Pick<WithdrawalRow, 'id' | 'hash'>,
  key: KeyObject,
): Promise<void> {
  await queries.query(SEAL_REFUSAL, [id, rowSeal(key, `${id} ${hash}`)]);
}

const USED_SINCE = statement(
  'withdrawals.used_since',
  `SELECT customer_id, sum(amount)::text AS units FROM withdrawals.withdrawal
   WHERE customer_id = ANY ($1::bigint[]) AND created_at >= $2 AND step <> 'returned' GROUP BY customer_id`,
);
/** Each customer's withdrawals since a moment, without the returned ones. */
export async function sumWithdrawnSince(
  queries: Queries,
  customers: readonly bigint[],
  since: Date,
): Promise<Map<bigint, Money<'USDT'>>> {
  const rows = await queries.query<{ customer_id: bigint; units: string }>(USED_SINCE, [
    arrayLiteral(customers),
    since,
  ]);
  return new Map(rows.map(({ customer_id, units }) => [customer_id, money('USDT', BigInt(units))]));
}

const OUTFLOWS = statement(
  'withdrawals.read_outflows',
  "SELECT created_at AS at, (-amount)::text AS units FROM withdrawals.withdrawal WHERE customer_id = $1 AND step <> 'returned'",
);
/** Withdrawals that have left or are about to leave, as negative units. */
export async function readOutflows(queries: Queries, customer: bigint): Promise<MoneyFlow[]> {
  const rows = await queries.query<{ at: Date; units: string }>(OUTFLOWS, [customer]);
  return rows.map(({ at, units }) => ({ at, units: BigInt(units) }));
}

const USED_QUOTES = statement(
  'withdrawals.used_quotes',
  'SELECT quote FROM withdrawals.withdrawal WHERE quote = ANY ($1::uuid[])',
);
export async function readUsedQuotes(queries: Queries, quotes: readonly string[]): Promise<Set<string>> {
  if (quotes.length === 0) return new Set();
  const rows = await queries.query<{ quote: string }>(USED_QUOTES, [arrayLiteral(quotes)]);
  return new Set(rows.map(({ quote }) => quote));
}

const QUOTE = {
  id: uuid,
  customer_id: bigint,
  channel: text<string>(),
  payee_id: text<string>(),
  amount: usdt,
  fee: usdt,
  rate: nullable(bigint),
  baht: nullable(thb),
  valid_until: time,
};
export type QuoteRow = RowOf<typeof QUOTE>;
const QUOTES = table<QuoteRow>(QUOTE);
const KEEP_QUOTE = statement('withdrawals.keep_quote', QUOTES.insertInto('withdrawals.quote'));
const READ_QUOTE = statement(
  'withdrawals.read_quote',
  `SELECT ${QUOTES.names} FROM withdrawals.quote WHERE id = $1::uuid AND customer_id = $2`,
);
const SWEEP_QUOTES = statement('withdrawals.sweep_quotes', 'DELETE FROM withdrawals.quote WHERE valid_until < $1');
export async function storeQuote(queries: Queries, row: QuoteRow): Promise<void> {
  await queries.query(KEEP_QUOTE, QUOTES.values([row]));
}
export const readQuoteRow = async (queries: Queries, id: string, customer: bigint): Promise<QuoteRow | undefined> =>
  /^[0-9a-f-]{36}$/.test(id) ? (await QUOTES.query(queries, READ_QUOTE, [id, customer]))[0] : undefined;
export async function sweepQuotes(queries: Queries, before: Date): Promise<void> {
  await queries.query(SWEEP_QUOTES, [before]);
}

const THRESHOLDS = table<PeopleThresholds>({ one_person_from: usdt, two_people_from: usdt });
const READ_THRESHOLDS = statement(
  'withdrawals.read_thresholds',
  `SELECT ${THRESHOLDS.names} FROM withdrawals.threshold WHERE effective_from <= clock_timestamp()
   ORDER BY effective_from DESC, id DESC LIMIT 1`,
);
export async function readThresholds(queries: Queries): Promise<PeopleThresholds> {
  const [row] = await THRESHOLDS.query(queries, READ_THRESHOLDS);
  if (!row) throw new Error('no thresholds are in force');
  return row;
}

const MEDIAN = statement(
  'withdrawals.median_minutes',
  `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)) / 60 AS minutes
   FROM withdrawals.withdrawal WHERE step = 'done' AND channel = $1 AND finished_at >= $2`,
);
/** The median duration over the last day in minutes; null if there was no withdrawal. */
export async function readMedianMinutes(queries: Queries, channel: string, since: Date): Promise<number | null> {
  const [row] = await queries.query<{ minutes: number | null }>(MEDIAN, [channel, since]);
  return row?.minutes == null ? null : Math.max(1, Math.round(row.minutes));
}

/** Durations of withdrawals. `automatic` covers those without an operator. */
export interface WithdrawalTimes {
  readonly promisedMinutes: number;
  readonly automatic: { readonly count: number; readonly medianMinutes: number | null };
  readonly checked: { readonly count: number; readonly medianMinutes: number | null };
  /** Unfinished withdrawals, except those within their 24-hour delay. */
  readonly waiting: number;
  readonly longestMinutes: number | null;
  /** Those past their promised time. */
  readonly late: number;
}

const TIMES = statement(
  'withdrawals.times',
  `SELECT people > 0 AS checked, count(*)::int AS count,
     percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)) / 60 AS minutes
   FROM withdrawals.withdrawal WHERE step = 'done' AND finished_at >= $1 GROUP BY 1`,
);
const WAITING = statement(
  'withdrawals.waiting_times',
  `SELECT count(*)::int AS count, count(*) FILTER (WHERE promised_at < $1)::int AS late,
     extract(epoch FROM $1 - min(greatest(created_at, coalesce(delayed_until, created_at)))) / 60 AS minutes
   FROM withdrawals.withdrawal WHERE step NOT IN ('done', 'returned', 'delayed')`,
);
export async function readWithdrawalTimes(queries: Queries, since: Date, now: Date): Promise<WithdrawalTimes> {
  const done = await queries.query<{ checked: boolean; count: number; minutes: number }>(TIMES, [since]);
  const [waiting] = await queries.query<{ count: number; late: number; minutes: string | null }>(WAITING, [now]);
  const of = (checked: boolean) => {
    const row = done.find((each) => each.checked === checked);
    return { count: row?.count ?? 0, medianMinutes: row ? Math.max(1, Math.round(row.minutes)) : null };
  };
  return {
    promisedMinutes: WITHDRAWAL_SETTINGS.promiseMinutes,
    automatic: of(false),
    checked: of(true),
    waiting: waiting?.count ?? 0,
    longestMinutes: waiting?.minutes == null ? null : Math.max(0, Math.floor(Number(waiting.minutes))),
    late: waiting?.late ?? 0,
  };
}

/** Minutes from the request to the payment. */
export interface PaymentTimes {
  readonly median: number;
  /** The 95th percentile. */
  readonly slow: number;
}

const HOURS = statement(
  'withdrawals.hours',
  `SELECT date_trunc('hour', finished_at) AS hour,
     percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)) / 60 AS median,
     percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)) / 60 AS slow
   FROM withdrawals.withdrawal WHERE step = 'done' AND finished_at >= $1
   GROUP BY GROUPING SETS ((date_trunc('hour', finished_at)), ()) HAVING count(*) > 0 ORDER BY 1`,
);
/**
 * Median and 95th-percentile payment times in minutes, one row per hour, oldest first. The last row (hour null) covers
 * the whole period. Empty if nothing was paid.
 */
export const readPaymentHours = (queries: Queries, since: Date) =>
  queries.query<PaymentTimes & { hour: Date | null }>(HOURS, [since]);

const APPROVALS = statement(
  'withdrawals.set_approval',
  `UPDATE withdrawals.withdrawal SET approval = $2 WHERE id = $1 AND approval IS NULL RETURNING id`,
);
export async function setWithdrawalApproval(queries: Queries, id: string, approval: string): Promise<boolean> {
  return (await queries.query(APPROVALS, [id, approval])).length === 1;
}

const LOCK = query('lock', 'WHERE id = $1::uuid FOR UPDATE');
export const lockWithdrawal = async (queries: Queries, id: string): Promise<WithdrawalRow | undefined> =>
  (await LOCK(queries, id))[0];

const ASK = statement(
  'withdrawals.ask',
  `UPDATE withdrawals.withdrawal SET question = $2, asked_at = $3, answer = NULL, version = version + 1
   WHERE id = $1 AND step IN ('delayed', 'first_check', 'second_check') RETURNING id`,
);
export async function storeQuestion(queries: Queries, id: string, question: string, at: Date): Promise<boolean> {
  return (await queries.query(ASK, [id, question, at])).length === 1;
}
const ANSWER = statement(
  'withdrawals.answer',
  `UPDATE withdrawals.withdrawal SET answer = $3, version = version + 1
   WHERE id = $1::uuid AND customer_id = $2 AND question IS NOT NULL AND answer IS NULL
     AND step IN ('delayed', 'first_check', 'second_check') RETURNING id`,
);
export async function storeAnswer(queries: Queries, id: string, customer: bigint, text: string): Promise<boolean> {
  return (await queries.query(ANSWER, [id, customer, text])).length === 1;
}

const SENT_COLUMNS = {
  withdrawal_id: uuid,
  nonce: bigint,
  hash: text<string>(),
  attempt: integer,
  /** True for a transaction without value, which uses up the nonce of a lost payout. */
  is_empty: column.boolean,
  at: time,
  /** True for the transaction of a payment run, which pays others too. */
  is_run: column.boolean,
};
/** A payout as the signer sent it. */
export type SentPayoutRow = RowOf<typeof SENT_COLUMNS>;
const SENT = table<SentPayoutRow>(SENT_COLUMNS);
const READ_SENT = statement(
  'withdrawals.read_sent',
  `SELECT ${SENT.names} FROM withdrawals.sent WHERE withdrawal_id = ANY ($1::uuid[]) ORDER BY attempt`,
);
export const readSentPayouts = (queries: Queries, ids: readonly string[]): Promise<SentPayoutRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : SENT.query(queries, READ_SENT, [arrayLiteral(ids)]);

const SIGNERS = table<{ readonly withdrawal_id: string; readonly work_name: string; readonly at: Date }>({
  withdrawal_id: uuid,
  work_name: text(),
  at: time,
});
const READ_SIGNERS = statement(
  'withdrawals.read_run_signers',
  `SELECT ${SIGNERS.names} FROM withdrawals.run_signer WHERE withdrawal_id = ANY ($1::uuid[]) ORDER BY at`,
);
/** Who signed the runs that pay these withdrawals, earliest first. */
export const readRunSigners = (queries: Queries, ids: readonly string[]) =>
  SIGNERS.query(queries, READ_SIGNERS, [arrayLiteral(ids)]);

const FOUND = statement(
  'withdrawals.found_in_block',
  `UPDATE withdrawals.withdrawal SET step = 'confirming', hash = $2, block_height = $3, block_hash = $4, version = version + 1
   WHERE id = $1 AND step IN ('sending', 'sent_unknown', 'confirming') AND (block_hash, hash) IS DISTINCT FROM ($4, $2) RETURNING id`,
);
export async function markFoundInBlock(
  queries: Queries,
  id: string,
  place: { hash: string; height: number; blockHash: string },
): Promise<boolean> {
  return (await queries.query(FOUND, [id, place.hash, place.height, place.blockHash])).length === 1;
}
const LEFT = statement(
  'withdrawals.left_block',
  `UPDATE withdrawals.withdrawal SET step = $2, block_height = NULL, block_hash = NULL, version = version + 1
   WHERE id = $1 AND step <> $2 AND step IN ('sending', 'confirming') RETURNING id`,
);
/** Moves back a payout whose transaction is in no block, or whose block left the chain. */
export async function markBlockLeft(queries: Queries, id: string, to: 'sending' | 'sent_unknown'): Promise<boolean> {
  return (await queries.query(LEFT, [id, to])).length === 1;
}
const SHOW_HASH = statement(
  'withdrawals.show_hash',
  `UPDATE withdrawals.withdrawal SET hash = $2, version = version + 1
   WHERE id = $1 AND step IN ('sending', 'sent_unknown') AND hash IS DISTINCT FROM $2 RETURNING id`,
);
/** Stores the newest sent transaction's hash, so that the customer can look it up. */
export async function storeShownHash(queries: Queries, id: string, hash: string): Promise<boolean> {
  return (await queries.query(SHOW_HASH, [id, hash])).length === 1;
}

const IN_RUN = statement('withdrawals.is_in_run', 'SELECT withdrawals.is_in_run($1) AS is_in');
/** True while a payment run that the chain would still take contains the withdrawal. */
export async function isInRun(queries: Queries, id: string): Promise<boolean> {
  return (await queries.query<{ is_in: boolean }>(IN_RUN, [id]))[0]?.is_in === true;
}

const KEEP_REFERENCE = statement(
  'withdrawals.keep_reference',
  `UPDATE withdrawals.withdrawal SET reference = $2 WHERE id = $1 AND step IN ('sending', 'sent_unknown')`,
);
/** Stores the bank's reference. The database rejects one that is already used. */
export async function storeBankReference(queries: Queries, id: string, reference: string): Promise<void> {
  await queries.query(KEEP_REFERENCE, [id, reference]);
}
const REFERENCE_USED = statement(
  'withdrawals.reference_used',
  'SELECT id FROM withdrawals.withdrawal WHERE reference = $1',
);
export async function isReferenceUsed(queries: Queries, reference: string): Promise<boolean> {
  return (await queries.query(REFERENCE_USED, [reference])).length > 0;
}

/** Approved payouts that two people must release or return. */
export const IS_UNRELEASED_SQL =
  "step = 'approved' AND id IN (SELECT withdrawal_id FROM withdrawals.waiting WHERE waits_for IN ('budget', 'authorisation', 'house_address', 'token_refuses'))";

const LATE_AFTER = '2 minutes';
const LATE = statement(
  'withdrawals.count_late',
  `SELECT count(*)::integer AS n FROM withdrawals.withdrawal w WHERE step = 'sent_unknown'
     OR (id IN (SELECT id FROM withdrawals.unsigned WHERE since < $1::timestamptz - interval '${LATE_AFTER}') AND (${IS_UNRELEASED_SQL}) IS NOT TRUE)`,
);
/** Payouts that should be signed by now and are not, or that were sent long ago and are in no block. */
export async function countLatePayouts(queries: Queries, now: Date): Promise<number> {
  const [row] = await queries.query<{ n: number }>(LATE, [now]);
  return row?.n ?? 0;
}

const TABS = {
  review: `((step IN ('first_check', 'second_check') AND people > 0) OR (${IS_UNRELEASED_SQL}))`,
  delayed: "step = 'delayed'",
  processing: `(step IN ('approved', 'sending', 'sent_unknown', 'confirming') OR (step = 'first_check' AND people = 0)) AND (${IS_UNRELEASED_SQL}) IS NOT TRUE`,
  success: "step = 'done'",
  failed: "step = 'returned'",
} as const;
export type WithdrawalTab = keyof typeof TABS;
const isWaitingTab = (tab: WithdrawalTab): boolean => tab === 'review' || tab === 'delayed' || tab === 'processing';
const lists = new Map(
  (Object.keys(TABS) as WithdrawalTab[]).map((tab) => {
    const [direction, beyond] = isWaitingTab(tab) ? ['ASC', '>'] : ['DESC', '<'];
    return [
      tab,
      query(
        `list_${tab}`,
        `WHERE ${TABS[tab]} AND ($1::text IS NULL OR order_number = upper($1) OR hash = lower($1) OR reference = $1 OR customer_id::text = $1)
           AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) ${beyond} ($2, $3::uuid))
         ORDER BY date_trunc('milliseconds', created_at) ${direction}, id ${direction} LIMIT $4`,
      ),
    ] as const;
  }),
);
export const listWithdrawalCaseRows = (
  queries: Queries,
  tab: WithdrawalTab,
  q: string | null,
  after: WithdrawalListPlace | null,
  limit: number,
): Promise<WithdrawalRow[]> =>
  lists.get(tab)?.(queries, q, after?.at ?? null, after?.id ?? null, limit) ?? Promise.resolve([]);

const COUNT_TABS = statement(
  'withdrawals.count_tabs',
  `SELECT ${(Object.keys(TABS) as WithdrawalTab[]).map((tab) => `(SELECT count(*) FROM withdrawals.withdrawal WHERE ${TABS[tab]})::integer AS ${tab}`).join(', ')}`,
);
export async function countWithdrawalTabs(queries: Queries): Promise<Record<WithdrawalTab, number>> {
  const [row] = await queries.query<Record<WithdrawalTab, number>>(COUNT_TABS);
  if (!row) throw new Error('no counts');
  return row;
}

const HISTORY = statement(
  'withdrawals.history',
  `SELECT count(*)::integer AS count, coalesce(sum(amount), 0)::text AS total, count(*) FILTER (WHERE payee_id = $2)::integer AS to_payee
   FROM withdrawals.withdrawal WHERE customer_id = $1 AND step = 'done' AND id <> $3`,
);
export async function readWithdrawalHistory(
  queries: Queries,
  { customer_id, payee_id, id }: WithdrawalRow,
): Promise<{ count: number; total: Money<'USDT'>; to_payee: number }> {
  const [row] = await queries.query<{ count: number; total: string; to_payee: number }>(HISTORY, [
    customer_id,
    payee_id,
    id,
  ]);
  return { count: row?.count ?? 0, total: money('USDT', BigInt(row?.total ?? 0)), to_payee: row?.to_payee ?? 0 };
}
