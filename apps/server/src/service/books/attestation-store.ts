import type { AssetCode, CoinCode } from '@sathorn/money';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';

export interface AttestationRow {
  readonly id: string;
  readonly asset: AssetCode;
  readonly counted: string;
  readonly booked: string;
  readonly as_of: Date;
  readonly statement: string;
  readonly operator: bigint;
  readonly at: Date;
}
const COLUMNS = 'id, asset, counted::text AS counted, booked::text AS booked, as_of, statement, operator, at';
const INSERT = statement(
  'books.insert_attestation',
  `INSERT INTO books.attestation (id, asset, counted, booked, as_of, statement, operator, at, step_up, bank_statement)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
// A repeated attempt has a new confirmation and id, so the same person's statement is found by its content.
const FIND = statement(
  'books.find_attestation',
  `SELECT ${COLUMNS} FROM books.attestation
   WHERE id = $1 OR (operator = $2 AND asset = $3 AND counted = $4 AND as_of = $5 AND statement = $6)
   ORDER BY id = $1 DESC, at LIMIT 1`,
);
const LIST = statement('books.list_attestations', `SELECT ${COLUMNS} FROM books.attestation ORDER BY at DESC LIMIT 20`);
const NEWEST = statement(
  'books.newest_attestations',
  `SELECT DISTINCT ON (asset) ${COLUMNS} FROM books.attestation ORDER BY asset, as_of DESC, at DESC`,
);

// Two people signed the same figure for the same moment. A later figure that one person alone signed can only lower it.
const RESERVES = statement(
  'books.counted_reserves',
  `SELECT twice.asset, least(twice.counted, min(once.counted))::text AS counted, twice.as_of
   FROM (SELECT DISTINCT ON (asset) asset, as_of, counted FROM books.attestation WHERE asset = ANY ($1::text[])
     GROUP BY asset, as_of, counted HAVING count(DISTINCT operator) > 1 ORDER BY asset, as_of DESC, counted) twice
   JOIN books.attestation once ON once.asset = twice.asset AND once.as_of >= twice.as_of
   GROUP BY twice.asset, twice.counted, twice.as_of`,
);
export const readReserves = (
  queries: Queries,
  coins: readonly CoinCode[],
): Promise<{ asset: CoinCode; counted: string; as_of: Date }[]> => queries.query(RESERVES, [arrayLiteral(coins)]);

type Signed = Omit<AttestationRow, 'counted' | 'booked'> & { readonly counted: bigint; readonly booked: bigint };

/** The attestation with this id or, by the same person, of the same statement. */
export async function findAttestation(queries: Queries, row: Signed): Promise<AttestationRow | null> {
  const { id, asset, counted, as_of: asOf, statement: named, operator } = row;
  return (await queries.query<AttestationRow>(FIND, [id, operator, asset, counted, asOf, named]))[0] ?? null;
}
/** `stepUp` is the confirmation under which the person signed, with the bank statement if they attest one. */
export async function insertAttestation(
  queries: Queries,
  row: Signed,
  { stepUp, bankStatement }: { readonly stepUp: string; readonly bankStatement: string | null },
): Promise<void> {
  const { id, asset, counted, booked, as_of: asOf, statement: named, operator, at } = row;
  await queries.query(INSERT, [id, asset, counted, booked, asOf, named, operator, at, stepUp, bankStatement]);
}
export const listAttestations = (queries: Queries): Promise<AttestationRow[]> => queries.query<AttestationRow>(LIST);
export const newestAttestations = (queries: Queries): Promise<AttestationRow[]> =>
  queries.query<AttestationRow>(NEWEST);
