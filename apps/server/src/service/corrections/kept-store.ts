import { type Money, money } from '@sathorn/money';
import { readOptionTerms, type SignedOptionTerms } from '@sathorn/proof';
import type { BookedPurchase, KeptReceipt } from '@sathorn/settlement';
import type { BookedOption } from '../../exchange/options/index.ts';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { CorrectionsDependencies } from './corrections.ts';

export type KeptOutcome = 'won' | 'lost' | 'tie' | 'void' | 'sold';

interface Stored {
  readonly hash: string;
  readonly case_id: string;
  readonly number: bigint;
  readonly customer_id: bigint;
  readonly order_id: string;
  readonly terms: string;
  readonly key_id: string;
  readonly ended: KeptOutcome | null;
  readonly credited: bigint | null;
  readonly taken_at: Date;
  /** The correction that pays it, or is proposed to pay it. */
  readonly correction: string | null;
  readonly correction_number: bigint | null;
}
export interface KeptRow extends Omit<Stored, 'terms' | 'credited'>, KeptReceipt {
  readonly terms: SignedOptionTerms;
}
export interface NewKept {
  readonly hash: string;
  readonly case_id: string;
  readonly customer_id: bigint;
  readonly order_id: string;
  /** The exact text of the terms, and everything that came with it as JSON. */
  readonly terms: string;
  readonly signed: string;
  readonly key_id: string;
  readonly ended: KeptOutcome | null;
  readonly credited: Money<'USDT'> | null;
  readonly booked: 'unknown' | KeptOutcome;
}

const ROWS = `SELECT k.hash, k.case_id, s.number, k.customer_id, k.order_id, k.terms, k.key_id, k.ended, k.credited, k.taken_at,
    c.id AS correction, c.number AS correction_number
  FROM corrections.kept_text k JOIN corrections.kept_case s ON s.id = k.case_id
  LEFT JOIN corrections.correction c ON c.kept = k.hash AND k.is_receipt AND c.step IN ('proposed', 'announced', 'done')`;
const FIND = statement(
  'corrections.find_kept',
  `${ROWS} WHERE k.customer_id = $1 AND k.hash = $2 ORDER BY k.is_receipt DESC LIMIT 1`,
);
// Terms whose receipt was handed in later are listed once, with the receipt.
const LIST = statement(
  'corrections.list_kept',
  `${ROWS} WHERE s.customer_id = $1 AND (k.is_receipt OR NOT EXISTS (SELECT FROM corrections.kept_text r WHERE r.hash = k.hash AND r.is_receipt))
   ORDER BY s.number DESC, k.taken_at DESC, k.hash LIMIT $2 OFFSET $3`,
);
const OPEN_CASE = statement(
  'corrections.open_kept_case',
  `WITH made AS (INSERT INTO corrections.kept_case (customer_id, restoration) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id, number)
   SELECT id, number FROM made UNION ALL SELECT id, number FROM corrections.kept_case WHERE customer_id = $1 AND restoration = $2 LIMIT 1`,
);
const INSERT = statement(
  'corrections.insert_kept',
  `INSERT INTO corrections.kept_text (hash, is_receipt, case_id, customer_id, order_id, terms, signed, key_id, ended, credited, booked)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING hash`,
);
const IS_WORTH = statement('corrections.is_kept_worth', 'SELECT corrections.kept_worth($1) = $2 AS is_worth');

function rowOf({ terms: text, credited, ...stored }: Stored): KeptRow {
  const terms = readOptionTerms(text);
  if (terms === undefined) throw new Error(`kept text ${stored.hash} has no terms`);
  return {
    ...stored,
    terms,
    stake: money('USDT', terms.stake),
    credited: credited === null ? null : money('USDT', credited),
  };
}

/** The receipt with this hash, or the terms alone; undefined if this customer has handed in neither. */
export async function findKeptText(queries: Queries, customer: bigint, hash: string): Promise<KeptRow | undefined> {
  const [stored] = await queries.query<Stored>(FIND, [customer, hash]);
  return stored && rowOf(stored);
}

export const listKeptRows = async (
  queries: Queries,
  customer: bigint,
  limit: number,
  skip: number,
): Promise<KeptRow[]> => (await queries.query<Stored>(LIST, [customer, limit, skip])).map(rowOf);

/** Opens one case per customer and restoration. */
export async function openKeptCase(
  queries: Queries,
  customer: bigint,
  restoration: bigint,
): Promise<{ readonly id: string; readonly number: bigint }> {
  // Only the second try finds a case that another request has just opened.
  for (let tries = 0; tries < 2; tries += 1) {
    const [found] = await queries.query<{ id: string; number: bigint }>(OPEN_CASE, [customer, restoration]);
    if (found) return found;
  }
  throw new Error('a case of a restoration can’t be opened');
}

/** Returns false if the same text was handed in before. */
export async function insertKeptRow(queries: Queries, row: NewKept): Promise<boolean> {
  const { hash, case_id, customer_id, order_id, terms, signed, key_id, ended, booked } = row;
  const credited = row.credited?.units ?? null;
  const values = [hash, ended !== null, case_id, customer_id, order_id, terms, signed, key_id, ended, credited, booked];
  return (await queries.query(INSERT, values)).length > 0;
}

/** Compares with the amount that the database computes. The database compares again when the correction is posted. */
export const isKeptWorthAmount = async (queries: Queries, hash: string, { units }: Money): Promise<boolean> =>
  (await queries.query<{ is_worth: boolean | null }>(IS_WORTH, [hash, units]))[0]?.is_worth === true;

export const readBookedOption = (
  { options }: Pick<CorrectionsDependencies, 'options'>,
  { customer_id: customer, order_id: order, terms }: Pick<KeptRow, 'customer_id' | 'order_id' | 'terms'>,
): Promise<(BookedOption & BookedPurchase) | null> => options.readBooked(customer, order, terms.acceptedMs);

export const keptNumberText = (number: bigint): string => `K-${String(number).padStart(4, '0')}`;
