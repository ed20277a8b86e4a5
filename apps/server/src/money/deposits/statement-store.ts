import type { Money } from '@sathorn/money';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

const { uuid, text, bigint, integer, time, nullable } = column;
const thb = column.money('THB');
const STATEMENT = {
  id: uuid,
  account: text<string>(),
  source: text<'upload' | 'feed' | 'demo'>(),
  from_at: time,
  to_at: time,
  opening: thb,
  closing: thb,
  lines: integer,
  received: thb,
  paid_out: thb,
  imported_by: nullable(bigint),
  imported_at: time,
  attested_by: nullable(bigint),
  attested_at: column.computed('t.at', nullable(time)),
  /** The sum of its matched lines. */
  matched: column.computed(
    '(SELECT coalesce(sum(m.baht), 0) FROM deposits.bank_match m JOIN deposits.bank_line l ON l.id = m.line WHERE l.statement = s.id)',
    thb,
  ),
};
export type BankStatementRow = RowOf<typeof STATEMENT>;
const STATEMENTS = table<BankStatementRow>(STATEMENT);
const FROM = 'FROM deposits.bank_statement s LEFT JOIN deposits.statement_attestation t ON t.statement = s.id';
const LIST = statement(
  'deposits.list_statements',
  `SELECT ${STATEMENTS.names} ${FROM} WHERE s.source <> 'demo' ORDER BY s.imported_at DESC, s.id LIMIT $1 OFFSET $2`,
);
const FIND = statement('deposits.read_statement', `SELECT ${STATEMENTS.names} ${FROM} WHERE s.id = $1`);
const ATTEST = statement(
  'deposits.attest_statement',
  'INSERT INTO deposits.statement_attestation (statement, attestation, attested_by) VALUES ($1, $2, $3) ON CONFLICT (statement) DO NOTHING RETURNING statement',
);

const FEED_TIME = statement(
  'deposits.feed_time',
  "SELECT max(imported_at) AS at FROM deposits.bank_statement WHERE source = 'feed'",
);
/** When a statement of the bank's feed was last imported. */
export const readBankFeedTime = async (queries: Queries): Promise<Date | null> =>
  (await queries.query<{ at: Date | null }>(FEED_TIME))[0]?.at ?? null;

/** Newest first, without the one-line statements of a demonstration's bank. */
export const listBankStatementRows = (queries: Queries, limit: number, skip: number): Promise<BankStatementRow[]> =>
  STATEMENTS.query(queries, LIST, [limit, skip]);

/** Runs in the attestation's transaction; the database requires exactly its closing balance, by another person. */
export async function attestBankStatement(
  transaction: Queries,
  given: {
    readonly statement: string;
    readonly attestation: string;
    readonly by: bigint;
    readonly closing: Money;
    readonly to: Date;
  },
): Promise<Decision<null, 'statement_unknown' | 'statement_balance_differs' | 'own_import' | 'already_attested'>> {
  const [row] = await STATEMENTS.query(transaction, FIND, [given.statement]);
  if (row?.source !== 'upload') return refuse('statement_unknown', { field: 'bank_statement' });
  if (row.imported_by === given.by) return refuse('own_import', { field: 'bank_statement' });
  const { asset, units } = row.closing;
  if (given.closing.asset !== asset || given.closing.units !== units || Number(row.to_at) !== Number(given.to))
    return refuse('statement_balance_differs', { field: 'counted' });
  const written = await transaction.query(ATTEST, [given.statement, given.attestation, given.by]);
  return written.length === 1 ? accept(null) : refuse('already_attested');
}
