import { type Queries, statement } from '../../platform/database/index.ts';

export interface ConsentRow {
  readonly finding: 'suitable' | 'unsuitable';
  readonly answers: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly usable_from: Date;
}
const NEWEST = statement(
  'consents.read_newest',
  `SELECT finding, answers, at, usable_from FROM consents.consent
   WHERE customer_id = $1 AND product = $2 AND version = $3 ORDER BY at DESC LIMIT 1`,
);
export async function readNewest(
  queries: Queries,
  customer: bigint,
  product: string,
  version: number,
): Promise<ConsentRow | undefined> {
  const [row] = await queries.query<ConsentRow>(NEWEST, [customer, product, version]);
  return row;
}

export interface NewConsent {
  readonly id: string;
  readonly customer: bigint;
  readonly product: string;
  readonly version: number;
  readonly language: string;
  readonly textHash: Buffer;
  readonly answers: Readonly<Record<string, string>>;
  readonly finding: ConsentRow['finding'];
  readonly usableFrom: Date;
}
const INSERT = statement(
  'consents.insert',
  `INSERT INTO consents.consent (id, customer_id, product, version, language, text_hash, answers, finding, usable_from)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
export async function insertConsent(queries: Queries, row: NewConsent): Promise<void> {
  const { id, customer, product, version, language, textHash, answers, finding, usableFrom } = row;
  await queries.query(INSERT, [
    id,
    customer,
    product,
    version,
    language,
    textHash,
    JSON.stringify(answers),
    finding,
    usableFrom,
  ]);
}
