import { type Queries, statement } from '../database/index.ts';

export interface BankLine {
  readonly id: string;
  /** The bank's own number of the line. */
  readonly bankReference: string;
  readonly at: Date;
  /** Units of THB that came in. */
  readonly amount: bigint;
  readonly payer: string;
  /** What the payer gave with it. */
  readonly reference: string;
}

const IMPORT = statement(
  'deposits.import_line',
  `INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference, imported_by) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (bank_reference) DO NOTHING RETURNING id`,
);

/** How many were new; a line that is there already is left as it is. */
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
