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

const IMPORT = statement(
  'deposits.import_line',
  `INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference, imported_by) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (bank_reference) DO NOTHING RETURNING id`,
);

const DIFFERS = statement(
  'deposits.line_differs',
  'SELECT bank_reference FROM deposits.bank_line WHERE bank_reference = $1 AND (amount, at, reference) <> ($2, $3, $4)',
);

/** The bank's number of a line that is known with another amount, time or reference. */
export class LineDiffers extends Error {
  readonly bankReference: string;
  constructor(bankReference: string) {
    super(`bank line ${bankReference} differs from the one that is known`);
    this.bankReference = bankReference;
  }
}

/**
 * Returns how many lines were new. A known line is left as it is. A line that contradicts a known one throws, so that
 * nothing of the statement is imported.
 */
export async function importBankLines(
  queries: Queries,
  lines: readonly BankLine[],
  by: bigint | null,
): Promise<number> {
  // In one order for everybody, or two people who import at once could wait for each other.
  const sorted = lines.toSorted((one, other) => (one.bankReference < other.bankReference ? -1 : 1));
  const kept = await Promise.all(
    sorted.map(({ id, bankReference, at, amount, payer, reference }) =>
      queries.query(IMPORT, [id, bankReference, at, amount, payer, reference, by]),
    ),
  );
  const known = sorted.filter((_, n) => kept[n]?.length === 0);
  const differing = await Promise.all(
    known.map(({ bankReference, amount, at, reference }) =>
      queries.query(DIFFERS, [bankReference, amount, at, reference]),
    ),
  );
  const first = known.find((_, n) => (differing[n]?.length ?? 0) > 0);
  if (first) throw new LineDiffers(first.bankReference);
  return lines.length - known.length;
}

export interface BankLineRow {
  readonly id: string;
  readonly bank_reference: string;
  readonly at: Date;
  readonly amount: bigint;
  readonly payer: string;
  readonly reference: string;
  readonly used_by: string | null;
}
const COLUMNS = `l.id, l.bank_reference, l.at, l.amount, l.payer, l.reference,
  (SELECT d.id FROM deposits.deposit d WHERE d.bank_line = l.id) AS used_by`;
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
