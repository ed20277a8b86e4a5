import { type Queries, statement } from '../../platform/database/index.ts';

export interface AuditEntryRow {
  readonly n: bigint;
  readonly at: Date;
  readonly operator: bigint | null;
  readonly work_name: string | null;
  readonly what: string;
  readonly kind: string;
  readonly subject: string;
  readonly customer: bigint | null;
  readonly text: string;
  readonly hash: Buffer;
  readonly note: string | null;
}

/** The query of an export of the log. */
export interface AuditExportRow {
  readonly who: string | null;
  readonly what: string | null;
  readonly subject: string | null;
  readonly since: Date;
  readonly until: Date;
  /** The newest entry at the time of the export. */
  readonly upto: bigint;
}

const COLUMNS = `e.n, e.at, e.operator, o.work_name, e.what, e.kind, e.subject, e.customer, e.text, e.hash, t.text AS note
  FROM operators.entry e LEFT JOIN operators.operator o ON o.id = e.operator LEFT JOIN operators.note t ON t.n = e.n`;
const newest = statement(
  'operators.newest_entries',
  `SELECT ${COLUMNS}
   WHERE ($1::bigint IS NULL OR e.n < $1) AND ($2::bigint IS NULL OR e.operator = $2) AND ($3::text IS NULL OR o.work_name = $3)
     AND ($4::text IS NULL OR e.what LIKE replace(replace($4, '%', ''), '_', '\\_') || '%') AND ($5::text IS NULL OR e.subject = $5)
   ORDER BY e.n DESC LIMIT $6`,
);
const forward = statement('operators.entries_since', `SELECT ${COLUMNS} WHERE e.n > $1 ORDER BY e.n LIMIT $2`);
const ofCustomer = statement(
  'operators.entries_of_customer',
  `SELECT ${COLUMNS} WHERE e.customer = $1 AND ($2::bigint IS NULL OR e.n < $2) ORDER BY e.n DESC LIMIT $3`,
);
const between = statement(
  'operators.entries_between',
  `SELECT ${COLUMNS}
   WHERE e.at >= $1 AND e.at < $2 AND e.n <= $3 AND ($4::text IS NULL OR o.work_name = $4)
     AND ($5::text IS NULL OR e.what LIKE replace(replace($5, '%', ''), '_', '\\_') || '%') AND ($6::text IS NULL OR e.subject = $6)
   ORDER BY e.n LIMIT $7`,
);
const head = statement('operators.log_head', 'SELECT n, hash FROM operators.log_head');
const countHour = statement(
  'operators.count_in_hour',
  `SELECT count(*)::integer AS done, min(at) AS first FROM operators.entry
   WHERE operator = $1 AND what = $2 AND at > clock_timestamp() - interval '1 hour'`,
);

export function listNewestEntries(
  queries: Queries,
  by: {
    readonly before: bigint | null;
    readonly operator: bigint | null;
    readonly who: string | null;
    readonly what: string | null;
    readonly on: string | null;
  },
  limit: number,
): Promise<AuditEntryRow[]> {
  return queries.query<AuditEntryRow>(newest, [by.before, by.operator, by.who, by.what, by.on, limit]);
}
export function listEntriesSince(queries: Queries, since: bigint, limit: number): Promise<AuditEntryRow[]> {
  return queries.query<AuditEntryRow>(forward, [since, limit]);
}
export function listEntriesBetween(
  queries: Queries,
  { since, until, upto, who, what, subject }: AuditExportRow,
  limit: number,
): Promise<AuditEntryRow[]> {
  return queries.query<AuditEntryRow>(between, [since, until, upto, who, what, subject, limit]);
}
export function listEntriesOfCustomer(
  queries: Queries,
  customer: bigint,
  before: bigint | null,
  limit: number,
): Promise<AuditEntryRow[]> {
  return queries.query<AuditEntryRow>(ofCustomer, [customer, before, limit]);
}
export async function readAuditHead(queries: Queries): Promise<{ n: bigint; hash: Buffer }> {
  const [row] = await queries.query<{ n: bigint; hash: Buffer }>(head);
  if (!row) throw new Error('the log has no head');
  return row;
}
/** How often this happened in the last hour, and when for the first time. */
export async function countExportsInHour(
  queries: Queries,
  operator: bigint,
  what: string,
): Promise<{ done: number; first: Date | null }> {
  const [row] = await queries.query<{ done: number; first: Date | null }>(countHour, [operator, what]);
  return row ?? { done: 0, first: null };
}
