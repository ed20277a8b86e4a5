import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

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
export async function readNewestConsents(
  queries: Queries,
  customer: bigint,
  product: string,
  version: number,
): Promise<ConsentRow | undefined> {
  const [row] = await queries.query<ConsentRow>(NEWEST, [customer, product, version]);
  return row;
}

const { uuid, text, bigint, bytes, integer, time } = column;
const CONSENT = {
  id: uuid,
  customer: column.named('customer_id', bigint),
  product: text<string>(),
  version: integer,
  language: text<string>(),
  textHash: bytes,
  answers: column.json<ConsentRow['answers']>(),
  finding: text<ConsentRow['finding']>(),
  usableFrom: time,
};
type NewConsent = RowOf<typeof CONSENT>;
const CONSENTS = table<NewConsent>(CONSENT);
const INSERT = statement('consents.insert', CONSENTS.insertOneInto('consents.consent'));
export async function insertConsent(queries: Queries, row: NewConsent): Promise<void> {
  await queries.query(INSERT, CONSENTS.valuesOf(row));
}
