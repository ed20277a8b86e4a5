import { randomUUID } from 'node:crypto';
import { add, formatMoney, type Money, zero } from '@sathorn/money';
import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

export interface BankLine {
  readonly id: string;
  /** Its row in the file, for people who look there. */
  readonly row: string;
  /** The bank's own number for the line, unique per account and day. */
  readonly bankReference: string;
  readonly at: Date;
  readonly amount: Money<'THB'>;
  readonly payer: string;
  /** The reference that the payer entered. */
  readonly reference: string;
}

export interface BankStatement {
  readonly account: string;
  readonly from: Date;
  readonly to: Date;
  readonly opening: Money<'THB'>;
  readonly closing: Money<'THB'>;
  /** The sum of outgoing payments. Only incoming payments are stored line by line. */
  readonly paidOut: Money<'THB'>;
  readonly lines: readonly BankLine[];
  /** How many rows are exact copies of another one; each is imported once. */
  readonly repeated: number;
}
/** A person, the bank with its signature, or the bank of a demonstration. */
type StatementSource =
  | { readonly kind: 'upload'; readonly by: bigint }
  | { readonly kind: 'feed'; readonly file: Buffer; readonly signature: Buffer }
  | { readonly kind: 'demo' };

const LOCK = statement(
  'deposits.lock_account',
  "SELECT pg_advisory_xact_lock(hashtextextended('bank-statement:' || $1, 0))",
);
const { uuid, text, bigint, integer, time, boolean, nullable } = column;
const thb = column.money('THB');
const KNOWN = statement(
  'deposits.find_statement',
  'SELECT id, lines FROM deposits.bank_statement WHERE account = $1 AND from_at = $2 AND to_at = $3 AND opening = $4 AND closing = $5 AND source <> $6',
);
const NEWEST = table<{ id: string; closing: Money<'THB'>; to_at: Date }>({ id: uuid, closing: thb, to_at: time });
const READ_NEWEST = statement(
  'deposits.newest_statement',
  `SELECT ${NEWEST.names} FROM deposits.bank_statement WHERE account = $1 AND source <> 'demo' ORDER BY to_at DESC LIMIT 1`,
);
const INSERT = statement(
  'deposits.insert_statement',
  `INSERT INTO deposits.bank_statement (id, account, source, previous, from_at, to_at, opening, closing, lines, received, paid_out, imported_by, file, signature)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);
const IMPORT = statement(
  'deposits.import_line',
  `INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference, imported_by, statement) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   RETURNING twin`,
);
const IN_STATEMENT = statement(
  'deposits.line_in_statement',
  `SELECT id FROM deposits.bank_line WHERE statement = $1 AND bank_reference = $2 AND (at, amount, payer, reference) = ($3, $4, $5, $6)`,
);
const ADOPT = statement(
  'deposits.adopt_line',
  `UPDATE deposits.bank_line SET statement = $1
   WHERE statement IS NULL AND bank_reference = $2 AND (at, amount, payer, reference) = ($3, $4, $5, $6) RETURNING id`,
);

/** Thrown so that no line of the statement is imported. */
export class StatementRefusedError extends Error {
  readonly refusal: 'bank_line_differs' | 'statement_gap';
  readonly params: Record<string, string>;
  constructor(refusal: StatementRefusedError['refusal'], params: Record<string, string>) {
    super(`a bank statement is refused: ${refusal} ${JSON.stringify(params)}`);
    this.refusal = refusal;
    this.params = params;
  }
}

/**
 * Imports a statement that continues the previous one of its account, and returns how many lines were new. The same
 * statement again adds nothing. A line that was imported before statements existed joins this one. A line that repeats
 * a number of its account and day is reported, and still stored: the balances prove that both payments came.
 */
export async function importBankStatement(
  transaction: Queries,
  given: BankStatement,
  source: StatementSource,
): Promise<{
  readonly id: string;
  readonly fresh: number;
  readonly isNew: boolean;
  readonly twins: readonly BankLine[];
}> {
  const { account, from, to, opening, closing, paidOut } = given;
  const { lines } = given;
  // Serialises imports for one account, so that the order of its lines is the file's.
  await transaction.query(LOCK, [account]);
  const isDemo = source.kind === 'demo';
  const contentOf = ({ bankReference, at, amount, payer, reference }: BankLine) =>
    [bankReference, at, amount.units, payer, reference] as const;
  const [known] = isDemo
    ? []
    : await transaction.query<{ id: string; lines: number }>(KNOWN, [
        account,
        from,
        to,
        opening.units,
        closing.units,
        'demo',
      ]);
  if (known) {
    for (const line of lines)
      if (
        known.lines !== lines.length ||
        (await transaction.query(IN_STATEMENT, [known.id, ...contentOf(line)])).length === 0
      )
        throw new StatementRefusedError('bank_line_differs', { reference: line.bankReference });
    return { id: known.id, fresh: 0, isNew: false, twins: [] };
  }
  const [newest] = isDemo ? [] : await NEWEST.query(transaction, READ_NEWEST, [account]);
  if (newest && (newest.closing.units !== opening.units || Number(newest.to_at) !== Number(from)))
    throw new StatementRefusedError('statement_gap', {
      at: newest.to_at.toISOString(),
      balance: formatMoney(newest.closing),
    });
  const id = randomUUID();
  const by = source.kind === 'upload' ? source.by : null;
  const received = lines.reduce((sum, { amount }) => add(sum, amount), zero('THB'));
  const [file, signature] = source.kind === 'feed' ? [source.file, source.signature] : [null, null];
  const head = [id, account, source.kind, newest?.id ?? null, from, to, opening.units, closing.units, lines.length];
  await transaction.query(INSERT, [...head, received.units, paidOut.units, by, file, signature]);
  const adopted = await Promise.all(lines.map((line) => transaction.query(ADOPT, [id, ...contentOf(line)])));
  const fresh = lines.filter((_, n) => adopted[n]?.length === 0);
  const kept = await Promise.all(
    fresh.map((line) => transaction.query<{ twin: number }>(IMPORT, [line.id, ...contentOf(line), by, id])),
  );
  return { id, fresh: fresh.length, isNew: true, twins: fresh.filter((_, n) => (kept[n]?.[0]?.twin ?? 0) > 0) };
}

const LINE = {
  id: uuid,
  bank_reference: text<string>(),
  at: time,
  amount: thb,
  payer: text<string>(),
  reference: text<string>(),
  /** How many earlier lines have the same account, day and number. */
  twin: integer,
  used_by: column.computed('(SELECT d.id FROM deposits.deposit d WHERE d.bank_line = l.id)', nullable(uuid)),
  imported_by: nullable(bigint),
  /** Null for a line that was imported before statements existed. */
  statement: nullable(uuid),
  source: column.computed(
    '(SELECT s.source FROM deposits.bank_statement s WHERE s.id = l.statement)',
    nullable(text<'upload' | 'feed' | 'demo'>()),
  ),
  is_attested: column.computed(
    'EXISTS (SELECT FROM deposits.statement_attestation t WHERE t.statement = l.statement)',
    boolean,
  ),
};
export type BankLineRow = RowOf<typeof LINE>;
const LINES = table<BankLineRow>(LINE);
const LIST = statement(
  'deposits.list_lines',
  `SELECT ${LINES.names} FROM deposits.bank_line l
   WHERE NOT $1 OR NOT EXISTS (SELECT FROM deposits.deposit d WHERE d.bank_line = l.id)
   ORDER BY (l.amount = $2::bigint)::integer + 2 * (l.reference = $3::text)::integer DESC NULLS LAST, l.at DESC, l.id LIMIT $4 OFFSET $5`,
);
const READ = statement('deposits.read_line', `SELECT ${LINES.names} FROM deposits.bank_line l WHERE l.id = $1::uuid`);

/** Newest first; if a deposit is given, the best matches come first. */
export const listBankLineRows = (
  queries: Queries,
  isUnused: boolean,
  near: { readonly baht: Money<'THB'>; readonly reference: string } | null,
  limit: number,
  skip: number,
): Promise<BankLineRow[]> =>
  LINES.query(queries, LIST, [isUnused, near?.baht.units ?? null, near?.reference ?? null, limit, skip]);

const OF_ANOTHER = statement('deposits.line_of_another', 'SELECT deposits.is_line_of_another($1, $2) AS found');
/** True if the line has the reference of another customer's order. */
export const isLineOfAnotherOrder = async (queries: Queries, line: string, deposit: string): Promise<boolean> =>
  (await queries.query<{ found: boolean }>(OF_ANOTHER, [line, deposit]))[0]?.found === true;

export const readBankLine = async (queries: Queries, id: string): Promise<BankLineRow | undefined> =>
  /^[0-9a-f-]{36}$/.test(id) ? (await LINES.query(queries, READ, [id]))[0] : undefined;
