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

/** Returns how many lines were new. Existing lines are not changed. */
export async function importBankLines(
  queries: Queries,
  lines: readonly BankLine[],
  by: bigint | null,
): Promise<number> {
  const kept = await Promise.all(
    lines.map(({ id, bankReference, at, amount, payer, reference }) =>
      queries.query(IMPORT, [id, bankReference, at, amount, payer, reference, by]),
    ),
  );
  return kept.filter((rows) => rows.length > 0).length;
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

export const readBankLine = async (queries: Queries, id: string): Promise<BankLineRow | undefined> =>
  /^[0-9a-f-]{36}$/.test(id) ? (await queries.query<BankLineRow>(READ, [id]))[0] : undefined;
