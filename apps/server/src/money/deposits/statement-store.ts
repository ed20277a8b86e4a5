import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Queries, statement } from '../../platform/database/index.ts';

export interface StatementRow {
  readonly id: string;
  readonly account: string;
  readonly source: 'upload' | 'feed' | 'demo';
  readonly from_at: Date;
  readonly to_at: Date;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: number;
  readonly received: bigint;
  readonly paid_out: bigint;
  readonly imported_by: bigint | null;
  readonly imported_at: Date;
  readonly attested_by: bigint | null;
  readonly attested_at: Date | null;
  /** Units of THB of its lines that were matched. */
  readonly matched: bigint;
}
const COLUMNS = `s.id, s.account, s.source, s.from_at, s.to_at, s.opening, s.closing, s.lines, s.received, s.paid_out, s.imported_by, s.imported_at,
  t.attested_by, t.at AS attested_at,
  (SELECT coalesce(sum(m.baht), 0)::bigint FROM deposits.bank_match m JOIN deposits.bank_line l ON l.id = m.line WHERE l.statement = s.id) AS matched`;
const FROM = 'FROM deposits.bank_statement s LEFT JOIN deposits.statement_attestation t ON t.statement = s.id';
const LIST = statement(
  'deposits.list_statements',
  `SELECT ${COLUMNS} ${FROM} WHERE s.source <> 'demo' ORDER BY s.imported_at DESC, s.id LIMIT $1 OFFSET $2`,
);
const FIND = statement('deposits.read_statement', `SELECT ${COLUMNS} ${FROM} WHERE s.id = $1`);
const ATTEST = statement(
  'deposits.attest_statement',
  'INSERT INTO deposits.statement_attestation (statement, attestation, attested_by) VALUES ($1, $2, $3) ON CONFLICT (statement) DO NOTHING RETURNING statement',
);

const FEED_TIME = statement(
  'deposits.feed_time',
  "SELECT max(imported_at) AS at FROM deposits.bank_statement WHERE source = 'feed'",
);
/** When a statement of the bank's feed was imported last. */
export const readFeedTime = async (queries: Queries): Promise<Date | null> =>
  (await queries.query<{ at: Date | null }>(FEED_TIME))[0]?.at ?? null;

/** Newest first, without the one-line statements of a demonstration's bank. */
export const listStatementRows = (queries: Queries, limit: number, skip: number): Promise<StatementRow[]> =>
  queries.query<StatementRow>(LIST, [limit, skip]);

/** Runs in the attestation's transaction; the database requires exactly its closing balance, by another person. */
export async function attestStatement(
  transaction: Queries,
  given: {
    readonly statement: string;
    readonly attestation: string;
    readonly by: bigint;
    readonly closing: bigint;
    readonly to: Date;
  },
): Promise<Decision<null, 'statement_unknown' | 'statement_balance_differs' | 'own_import' | 'already_attested'>> {
  const [row] = await transaction.query<StatementRow>(FIND, [given.statement]);
  if (row?.source !== 'upload') return refuse('statement_unknown', { field: 'bank_statement' });
  if (row.imported_by === given.by) return refuse('own_import', { field: 'bank_statement' });
  if (row.closing !== given.closing || Number(row.to_at) !== Number(given.to))
    return refuse('statement_balance_differs', { field: 'counted' });
  const written = await transaction.query(ATTEST, [given.statement, given.attestation, given.by]);
  return written.length === 1 ? accept(null) : refuse('already_attested');
}
