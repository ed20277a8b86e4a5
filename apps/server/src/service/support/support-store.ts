import type { Language } from '@sathorn/text';
import { type Queries, statement } from '../../platform/database/index.ts';

export type SupportDesk = 'support' | 'compliance';

export interface ThreadRow {
  readonly id: string;
  /** Null for a visitor, who has a contact and a reference instead. */
  readonly customer: bigint | null;
  readonly contact_kind: 'phone' | 'email' | null;
  readonly contact: string | null;
  readonly reference: string | null;
  readonly language: Language;
  readonly state: 'open' | 'closed';
  readonly last: number;
  readonly last_of_staff: number;
  readonly last_at: Date | null;
  readonly waiting_since: Date | null;
  readonly assigned_to: bigint | null;
  readonly desk: SupportDesk;
  readonly read_by_customer: number;
  readonly read_by_staff: number;
  readonly customer_types_until: Date | null;
  readonly staff_types_until: Date | null;
}

export interface SupportMessageRow {
  readonly thread: string;
  readonly number: number;
  readonly id: string;
  readonly author: 'customer' | 'visitor' | 'staff';
  readonly operator: bigint | null;
  readonly work_name: string | null;
  readonly body: string;
  readonly picture: string | null;
  readonly ready: string | null;
  readonly at: Date;
  readonly waited_ms: bigint | null;
}

export interface ThreadStepRow {
  readonly what: 'taken' | 'handed_over' | 'closed' | 'noted';
  readonly operator: bigint;
  readonly work_name: string;
  readonly handed_to: string | null;
  readonly note: string | null;
  readonly at: Date;
}

export interface ReadyAnswerRow {
  readonly code: string;
  readonly version: number;
  readonly texts: Readonly<Partial<Record<Language, string>>>;
}

const THREAD =
  'id, customer, contact_kind, contact, reference, language, state, last, last_of_staff, last_at, waiting_since, assigned_to, desk, read_by_customer, read_by_staff, customer_types_until, staff_types_until';
const MESSAGE = 'thread, number, id, author, operator, work_name, body, picture, ready, at, waited_ms';

const OPEN_THREAD = statement(
  'support.open_thread',
  'INSERT INTO support.thread (id, customer, language) VALUES ($1, $2, $3) ON CONFLICT (customer) DO NOTHING',
);
const OPEN_VISITOR = statement(
  'support.open_visitor_thread',
  `INSERT INTO support.thread (id, contact_kind, contact, reference, language) VALUES ($1, $2, $3, $4, $5) RETURNING ${THREAD}`,
);
const FIND_VISITOR = statement(
  'support.find_visitor_message',
  `SELECT m.body, t.reference, t.contact FROM support.message m JOIN support.thread t ON t.id = m.thread WHERE m.id = $1 AND m.author = 'visitor'`,
);
const FIND_OF = statement('support.find_thread_of', `SELECT ${THREAD} FROM support.thread WHERE customer = $1`);
const LOCK_OF = statement(
  'support.lock_thread_of',
  `SELECT ${THREAD} FROM support.thread WHERE customer = $1 FOR UPDATE`,
);
const FIND = statement('support.find_thread', `SELECT ${THREAD} FROM support.thread WHERE id = $1`);
const LOCK = statement('support.lock_thread', `SELECT ${THREAD} FROM support.thread WHERE id = $1 FOR UPDATE`);
const FIND_MESSAGE = statement(
  'support.find_message',
  `SELECT ${MESSAGE} FROM support.message WHERE thread = $1 AND id = $2`,
);
const READ_MESSAGE = statement(
  'support.read_message',
  `SELECT ${MESSAGE} FROM support.message WHERE thread = $1 AND number = $2`,
);
const BEFORE = statement(
  'support.list_messages_before',
  `SELECT ${MESSAGE} FROM support.message WHERE thread = $1 AND number < $2 ORDER BY number DESC LIMIT $3`,
);
const AFTER = statement(
  'support.list_messages_after',
  `SELECT ${MESSAGE} FROM support.message WHERE thread = $1 AND number > $2 ORDER BY number LIMIT $3`,
);
const NEWEST_OF = statement(
  'support.newest_messages',
  `SELECT DISTINCT ON (thread) ${MESSAGE} FROM support.message WHERE thread = ANY ($1) ORDER BY thread, number DESC`,
);
const COUNT_SINCE = statement(
  'support.count_written_since',
  `SELECT count(*) FILTER (WHERE at > $2) AS minute, count(*) AS day FROM support.message WHERE thread = $1 AND author = 'customer' AND at > $3`,
);
const INSERT_MESSAGE = statement(
  'support.insert_message',
  `INSERT INTO support.message (thread, number, id, author, operator, work_name, body, picture, ready, at, waited_ms)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const WROTE = statement(
  'support.note_customers_message',
  `UPDATE support.thread SET last = $2, last_at = $3, waiting_since = coalesce(waiting_since, $3), language = $4, state = 'open',
     customer_types_until = NULL WHERE id = $1`,
);
const ANSWERED = statement(
  'support.note_answer',
  `UPDATE support.thread SET last = $2, last_of_staff = $2, last_at = $3, waiting_since = NULL, state = 'open', assigned_to = $4,
     read_by_staff = last, staff_types_until = NULL WHERE id = $1`,
);
const READ_BY_CUSTOMER = statement(
  'support.mark_read_by_customer',
  'UPDATE support.thread SET read_by_customer = least(last, $2) WHERE customer = $1 AND read_by_customer < least(last, $2) RETURNING id',
);
const READ_BY_STAFF = statement(
  'support.mark_read_by_staff',
  'UPDATE support.thread SET read_by_staff = least(last, $2) WHERE id = $1 AND read_by_staff < least(last, $2) RETURNING id',
);
const CUSTOMER_TYPES = statement(
  'support.note_customer_types',
  'UPDATE support.thread SET customer_types_until = $2 WHERE customer = $1',
);
const STAFF_TYPES = statement(
  'support.note_staff_types',
  'UPDATE support.thread SET staff_types_until = $2 WHERE id = $1',
);
const ASSIGN = statement(
  'support.assign_thread',
  'UPDATE support.thread SET assigned_to = $2, desk = $3, staff_types_until = NULL WHERE id = $1',
);
const CLOSE = statement('support.close_thread', `UPDATE support.thread SET state = 'closed' WHERE id = $1`);
const INSERT_STEP = statement(
  'support.insert_step',
  'INSERT INTO support.step (thread, what, operator, work_name, handed_to, note, at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
);
const STEPS = statement(
  'support.list_steps',
  'SELECT what, operator, work_name, handed_to, note, at FROM support.step WHERE thread = $1 ORDER BY n DESC LIMIT 30',
);
/** Conversations that wait for staff, longest first; then all others, newest first. */
const LIST = statement(
  'support.list_threads',
  `SELECT ${THREAD} FROM support.thread
   WHERE last > 0 AND CASE $1 WHEN 'open' THEN waiting_since IS NOT NULL WHEN 'waiting' THEN state = 'open' AND waiting_since IS NULL
       WHEN 'closed' THEN state = 'closed' ELSE state = 'open' AND assigned_to = $2 END
     AND ($3::text IS NULL OR desk = $3) AND ($4::text IS NULL OR language = $4)
     AND ($5::timestamptz IS NULL OR CASE WHEN $1 = 'open' THEN (waiting_since, id) > ($5, $6) ELSE (last_at, id) < ($5, $6) END)
   ORDER BY CASE WHEN $1 = 'open' THEN waiting_since END, CASE WHEN $1 <> 'open' THEN last_at END DESC,
     CASE WHEN $1 = 'open' THEN id END, id DESC LIMIT $7`,
);
const COUNTS = statement(
  'support.count_threads',
  `SELECT count(*) FILTER (WHERE waiting_since IS NOT NULL) AS open, count(*) FILTER (WHERE assigned_to = $1) AS mine,
     count(*) FILTER (WHERE waiting_since IS NULL) AS waiting, min(waiting_since) AS oldest,
     count(*) FILTER (WHERE waiting_since < $3) AS overdue
   FROM support.thread WHERE state = 'open' AND last > 0 AND ($2::text IS NULL OR desk = $2)`,
);
/**
 * The console compares this list with the previous one. A conversation that leaves the desk disappears from the list,
 * which also counts as a change.
 */
const CHANGED = statement(
  'support.list_changed',
  `SELECT id, changed FROM support.thread WHERE last > 0 AND ($1::text IS NULL OR desk = $1) ORDER BY changed DESC LIMIT $2`,
);
const USUAL = statement(
  'support.usual_wait',
  `SELECT count(*) AS answers, percentile_disc(0.5) WITHIN GROUP (ORDER BY waited_ms) AS waited_ms
   FROM (SELECT waited_ms FROM support.message WHERE waited_ms IS NOT NULL AND at > $1 ORDER BY at DESC LIMIT 500) AS newest`,
);
const UNNOTICED = statement(
  'support.list_unnoticed',
  // Sends one notice for several consecutive unread answers.
  `SELECT ${THREAD} FROM support.thread
   WHERE customer IS NOT NULL AND last_of_staff > read_by_customer AND noticed < last_of_staff AND noticed <= read_by_customer AND last_at < $1 LIMIT 100`,
);
const NOTICED = statement(
  'support.note_notice',
  'UPDATE support.thread SET noticed = greatest(noticed, $2) WHERE id = $1',
);
const READY = statement(
  'support.list_ready',
  'SELECT DISTINCT ON (code) code, version, texts FROM support.ready_answer ORDER BY code, version DESC',
);
const INSERT_READY = statement(
  'support.insert_ready',
  'INSERT INTO support.ready_answer (code, version, texts, approval) VALUES ($1, $2, $3, $4)',
);

const first = async (queries: Queries, text: Parameters<Queries['query']>[0], values: unknown[]) =>
  (await queries.query<ThreadRow>(text, values))[0] ?? null;

export const findThreadOfCustomer = (queries: Queries, customer: bigint) => first(queries, FIND_OF, [customer]);
export const findThread = (queries: Queries, id: string) => first(queries, FIND, [id]);
export const lockThread = (queries: Queries, id: string) => first(queries, LOCK, [id]);

/** Creates the conversation together with its first message, so that viewing the page creates nothing. */
export async function lockThreadOfCustomer(
  queries: Queries,
  customer: bigint,
  fresh: { readonly id: string; readonly language: Language },
): Promise<ThreadRow> {
  const found = await first(queries, LOCK_OF, [customer]);
  if (found) return found;
  await queries.query(OPEN_THREAD, [fresh.id, customer, fresh.language]);
  const opened = await first(queries, LOCK_OF, [customer]);
  if (!opened) throw new Error('a conversation was not opened');
  return opened;
}

export async function openVisitorThread(
  queries: Queries,
  thread: {
    readonly id: string;
    readonly contact: { readonly kind: 'phone' | 'email'; readonly value: string };
    readonly reference: string;
    readonly language: Language;
  },
): Promise<void> {
  const { id, contact, reference, language } = thread;
  await queries.query(OPEN_VISITOR, [id, contact.kind, contact.value, reference, language]);
}
/** The message that was sent earlier with this id, so that a retry is recognised. */
export async function findVisitorMessage(
  queries: Queries,
  id: string,
): Promise<{ readonly body: string; readonly reference: string; readonly contact: string } | null> {
  const rows = await queries.query<{ body: string; reference: string; contact: string }>(FIND_VISITOR, [id]);
  return rows[0] ?? null;
}

export async function findMessage(queries: Queries, thread: string, id: string): Promise<SupportMessageRow | null> {
  return (await queries.query<SupportMessageRow>(FIND_MESSAGE, [thread, id]))[0] ?? null;
}
export async function readMessage(queries: Queries, thread: string, number: number): Promise<SupportMessageRow | null> {
  return (await queries.query<SupportMessageRow>(READ_MESSAGE, [thread, number]))[0] ?? null;
}

/** Oldest first. */
export async function listMessagesBefore(
  queries: Queries,
  thread: string,
  before: number,
  limit: number,
): Promise<SupportMessageRow[]> {
  return (await queries.query<SupportMessageRow>(BEFORE, [thread, before, limit])).reverse();
}
export function listMessagesAfter(
  queries: Queries,
  thread: string,
  after: number,
  limit: number,
): Promise<SupportMessageRow[]> {
  return queries.query<SupportMessageRow>(AFTER, [thread, after, limit]);
}
export async function readNewestMessages(
  queries: Queries,
  threads: readonly string[],
): Promise<Map<string, SupportMessageRow>> {
  const rows = await queries.query<SupportMessageRow>(NEWEST_OF, [threads]);
  return new Map(rows.map((row) => [row.thread, row]));
}

export async function countWrittenMessages(
  queries: Queries,
  thread: string,
  now: Date,
): Promise<{ readonly minute: number; readonly day: number }> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const [row] = await queries.query<{ minute: bigint; day: bigint }>(COUNT_SINCE, [
    thread,
    ago(60_000),
    ago(86_400_000),
  ]);
  return { minute: Number(row?.minute ?? 0n), day: Number(row?.day ?? 0n) };
}

export async function insertMessage(queries: Queries, row: SupportMessageRow): Promise<void> {
  await queries.query(INSERT_MESSAGE, [
    row.thread,
    row.number,
    row.id,
    row.author,
    row.operator,
    row.work_name,
    row.body,
    row.picture,
    row.ready,
    row.at,
    row.waited_ms,
  ]);
}

export async function noteMessageWritten(queries: Queries, row: SupportMessageRow, language: Language): Promise<void> {
  await queries.query(WROTE, [row.thread, row.number, row.at, language]);
}
export async function noteMessageAnswered(queries: Queries, row: SupportMessageRow): Promise<void> {
  await queries.query(ANSWERED, [row.thread, row.number, row.at, row.operator]);
}

/** Returns false if these were already marked as read. */
export async function markReadByCustomer(queries: Queries, customer: bigint, number: number): Promise<boolean> {
  return (await queries.query(READ_BY_CUSTOMER, [customer, number])).length > 0;
}
export async function markReadByStaff(queries: Queries, thread: string, number: number): Promise<boolean> {
  return (await queries.query(READ_BY_STAFF, [thread, number])).length > 0;
}
export async function noteCustomerTyping(queries: Queries, customer: bigint, until: Date): Promise<void> {
  await queries.query(CUSTOMER_TYPES, [customer, until]);
}
export async function noteStaffTyping(queries: Queries, thread: string, until: Date): Promise<void> {
  await queries.query(STAFF_TYPES, [thread, until]);
}
export async function assignThread(
  queries: Queries,
  thread: string,
  to: bigint | null,
  desk: SupportDesk,
): Promise<void> {
  await queries.query(ASSIGN, [thread, to, desk]);
}
export async function closeThread(queries: Queries, thread: string): Promise<void> {
  await queries.query(CLOSE, [thread]);
}
export async function insertThreadStep(queries: Queries, thread: string, step: ThreadStepRow): Promise<void> {
  const { what, operator, work_name, handed_to, note, at } = step;
  await queries.query(INSERT_STEP, [thread, what, operator, work_name, handed_to, note, at]);
}
export function listThreadSteps(queries: Queries, thread: string): Promise<ThreadStepRow[]> {
  return queries.query<ThreadStepRow>(STEPS, [thread]);
}

interface ThreadFilter {
  readonly status: 'open' | 'mine' | 'waiting' | 'closed';
  readonly operator: bigint;
  /** Null means both desks. */
  readonly desk: SupportDesk | null;
  readonly language: Language | null;
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly limit: number;
}
export function listThreads(queries: Queries, wanted: ThreadFilter): Promise<ThreadRow[]> {
  const { status, operator, desk, language, after, limit } = wanted;
  return queries.query<ThreadRow>(LIST, [
    status,
    operator,
    desk,
    language,
    after?.at ?? null,
    after?.id ?? null,
    limit,
  ]);
}

export interface ThreadCounts {
  readonly open: number;
  readonly mine: number;
  readonly waiting: number;
  readonly overdue: number;
  readonly oldest: Date | null;
}
export async function countThreads(
  queries: Queries,
  {
    operator,
    desk,
    overdueBefore,
  }: { readonly operator: bigint; readonly desk: SupportDesk | null; readonly overdueBefore: Date },
): Promise<ThreadCounts> {
  const [row] = await queries.query<
    { [Name in 'open' | 'mine' | 'waiting' | 'overdue']: bigint } & { oldest: Date | null }
  >(COUNTS, [operator, desk, overdueBefore]);
  const of = (name: 'open' | 'mine' | 'waiting' | 'overdue'): number => Number(row?.[name] ?? 0n);
  return {
    open: of('open'),
    mine: of('mine'),
    waiting: of('waiting'),
    overdue: of('overdue'),
    oldest: row?.oldest ?? null,
  };
}

export function listChangedThreads(
  queries: Queries,
  desk: SupportDesk | null,
  limit: number,
): Promise<{ readonly id: string; readonly changed: bigint }[]> {
  return queries.query(CHANGED, [desk, limit]);
}

export async function readUsualWait(queries: Queries, since: Date): Promise<{ answers: number; waitedMs: number }> {
  const [row] = await queries.query<{ answers: bigint; waited_ms: bigint | null }>(USUAL, [since]);
  return { answers: Number(row?.answers ?? 0n), waitedMs: Number(row?.waited_ms ?? 0n) };
}

export function listUnnoticedThreads(queries: Queries, before: Date): Promise<ThreadRow[]> {
  return queries.query<ThreadRow>(UNNOTICED, [before]);
}
export async function noteThreadNotice(queries: Queries, thread: string, number: number): Promise<void> {
  await queries.query(NOTICED, [thread, number]);
}

export function listReadyAnswerRows(queries: Queries): Promise<ReadyAnswerRow[]> {
  return queries.query<ReadyAnswerRow>(READY);
}
export async function insertReadyAnswer(queries: Queries, row: ReadyAnswerRow, approval: string): Promise<void> {
  await queries.query(INSERT_READY, [row.code, row.version, JSON.stringify(row.texts), approval]);
}
