import { randomUUID } from 'node:crypto';
import { formatDecimal } from '@sathorn/money';
import { type Queries, statement } from '../database/index.ts';

export interface BankLine {
  readonly id: string;
  /** The bank's own number for the line. */
  readonly bankReference: string;
  readonly at: Date;
  /** Units of THB received. */
  readonly amount: bigint;
  readonly payer: string;
  /** The reference that the payer entered. */
  readonly reference: string;
}

/** Amounts are units of THB. */
export interface BankStatement {
  readonly account: string;
  readonly from: Date;
  readonly to: Date;
  readonly opening: bigint;
  readonly closing: bigint;
  /** What left the account. Only what came in is kept line by line. */
  readonly paidOut: bigint;
  readonly lines: readonly BankLine[];
}
/** A person, the bank with its signature, or the bank of a demonstration. */
export type StatementSource =
  | { readonly kind: 'upload'; readonly by: bigint }
  | { readonly kind: 'feed'; readonly file: Buffer; readonly signature: Buffer }
  | { readonly kind: 'demo' };

const LOCK = statement(
  'deposits.lock_account',
  "SELECT pg_advisory_xact_lock(hashtextextended('bank-statement:' || $1, 0))",
);
const KNOWN = statement(
  'deposits.find_statement',
  'SELECT id FROM deposits.bank_statement WHERE account = $1 AND from_at = $2 AND to_at = $3 AND opening = $4 AND closing = $5 AND source <> $6',
);
const NEWEST = statement(
  'deposits.newest_statement',
  "SELECT id, closing, to_at FROM deposits.bank_statement WHERE account = $1 AND source <> 'demo' ORDER BY to_at DESC LIMIT 1",
);
const INSERT = statement(
  'deposits.insert_statement',
  `INSERT INTO deposits.bank_statement (id, account, source, previous, from_at, to_at, opening, closing, lines, received, paid_out, imported_by, file, signature)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);
const IMPORT = statement(
  'deposits.import_line',
  `INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference, imported_by, statement) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (bank_reference) DO NOTHING RETURNING id`,
);
const OF_REFERENCE = statement(
  'deposits.line_of_reference',
  'SELECT statement, (amount, at, reference) = ($2, $3, $4) AS is_same FROM deposits.bank_line WHERE bank_reference = $1',
);
const ADOPT = statement(
  'deposits.adopt_line',
  'UPDATE deposits.bank_line SET statement = $2 WHERE bank_reference = $1 AND statement IS NULL',
);

/** Thrown, so that nothing of the statement is imported. */
export class StatementRefused extends Error {
  readonly refusal: 'bank_line_differs' | 'bank_line_known' | 'statement_gap';
  readonly params: Record<string, string>;
  constructor(refusal: StatementRefused['refusal'], params: Record<string, string>) {
    super(`a bank statement is refused: ${refusal} ${JSON.stringify(params)}`);
    this.refusal = refusal;
    this.params = params;
  }
}

/**
 * Imports a statement that follows the one before of its account, and returns how many lines were new. The same
 * statement again adds nothing. A line that was imported before there were statements joins this one.
 */
export async function importStatement(
  transaction: Queries,
  given: BankStatement,
  source: StatementSource,
): Promise<{ readonly id: string; readonly fresh: number; readonly isNew: boolean }> {
  const { account, from, to, opening, closing, paidOut } = given;
  // In one order for everybody, or two people who import at once could wait for each other.
  const lines = given.lines.toSorted((one, other) => (one.bankReference < other.bankReference ? -1 : 1));
  await transaction.query(LOCK, [account]);
  const isDemo = source.kind === 'demo';
  const found = ({ bankReference, amount, at, reference }: BankLine) =>
    transaction.query<{ statement: string | null; is_same: boolean }>(OF_REFERENCE, [
      bankReference,
      amount,
      at,
      reference,
    ]);
  const refuseLine = (refusal: 'bank_line_differs' | 'bank_line_known', { bankReference }: BankLine): never => {
    throw new StatementRefused(refusal, { reference: bankReference });
  };

  const [known] = isDemo
    ? []
    : await transaction.query<{ id: string }>(KNOWN, [account, from, to, opening, closing, 'demo']);
  if (known) {
    for (const line of lines) {
      const [before] = await found(line);
      if (!before?.is_same || before.statement !== known.id) refuseLine('bank_line_differs', line);
    }
    return { id: known.id, fresh: 0, isNew: false };
  }
  const [newest] = isDemo
    ? []
    : await transaction.query<{ id: string; closing: bigint; to_at: Date }>(NEWEST, [account]);
  if (newest && (newest.closing !== opening || Number(newest.to_at) !== Number(from)))
    throw new StatementRefused('statement_gap', {
      at: newest.to_at.toISOString(),
      balance: formatDecimal(newest.closing, 2),
    });
  const id = randomUUID();
  const by = source.kind === 'upload' ? source.by : null;
  const received = lines.reduce((sum, { amount }) => sum + amount, 0n);
  const [file, signature] = source.kind === 'feed' ? [source.file, source.signature] : [null, null];
  const head = [id, account, source.kind, newest?.id ?? null, from, to, opening, closing, lines.length, received];
  await transaction.query(INSERT, [...head, paidOut, by, file, signature]);
  const kept = await Promise.all(
    lines.map(({ id: line, bankReference, at, amount, payer, reference }) =>
      transaction.query(IMPORT, [line, bankReference, at, amount, payer, reference, by, id]),
    ),
  );
  const old = lines.filter((_, n) => kept[n]?.length === 0);
  for (const line of old) {
    const [before] = await found(line);
    if (!before?.is_same) refuseLine('bank_line_differs', line);
    if (before?.statement !== null) refuseLine('bank_line_known', line);
    await transaction.query(ADOPT, [line.bankReference, id]);
  }
  return { id, fresh: lines.length - old.length, isNew: true };
}

export interface BankLineRow {
  readonly id: string;
  readonly bank_reference: string;
  readonly at: Date;
  readonly amount: bigint;
  readonly payer: string;
  readonly reference: string;
  readonly used_by: string | null;
  readonly imported_by: bigint | null;
  /** Null for a line that was imported before there were statements. */
  readonly statement: string | null;
  readonly source: 'upload' | 'feed' | 'demo' | null;
  readonly is_attested: boolean;
}
const COLUMNS = `l.id, l.bank_reference, l.at, l.amount, l.payer, l.reference,
  (SELECT d.id FROM deposits.deposit d WHERE d.bank_line = l.id) AS used_by,
  l.imported_by, l.statement, (SELECT s.source FROM deposits.bank_statement s WHERE s.id = l.statement) AS source,
  EXISTS (SELECT FROM deposits.statement_attestation t WHERE t.statement = l.statement) AS is_attested`;
const LIST = statement(
  'deposits.list_lines',
  `SELECT ${COLUMNS} FROM deposits.bank_line l
   WHERE NOT $1 OR NOT EXISTS (SELECT FROM deposits.deposit d WHERE d.bank_line = l.id)
   ORDER BY (l.amount = $2::bigint)::integer + 2 * (l.reference = $3::text)::integer DESC NULLS LAST, l.at DESC, l.id LIMIT $4 OFFSET $5`,
);
const READ = statement('deposits.read_line', `SELECT ${COLUMNS} FROM deposits.bank_line l WHERE l.id = $1::uuid`);

/** Newest first; when a deposit is given, the best matches come first. */
export const listBankLineRows = (
  queries: Queries,
  isUnused: boolean,
  near: { readonly baht: bigint; readonly reference: string } | null,
  limit: number,
  skip: number,
): Promise<BankLineRow[]> =>
  queries.query<BankLineRow>(LIST, [isUnused, near?.baht ?? null, near?.reference ?? null, limit, skip]);

const OF_ANOTHER = statement('deposits.line_of_another', 'SELECT deposits.is_line_of_another($1, $2) AS found');
/** True if the line has the reference of another customer's order. */
export const isLineOfAnother = async (queries: Queries, line: string, deposit: string): Promise<boolean> =>
  (await queries.query<{ found: boolean }>(OF_ANOTHER, [line, deposit]))[0]?.found === true;

export const readBankLine = async (queries: Queries, id: string): Promise<BankLineRow | undefined> =>
  /^[0-9a-f-]{36}$/.test(id) ? (await queries.query<BankLineRow>(READ, [id]))[0] : undefined;
