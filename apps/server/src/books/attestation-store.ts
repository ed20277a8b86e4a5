import type { AssetCode } from '@sathorn/money';
import { type Queries, statement } from '../database/index.ts';

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
  'INSERT INTO books.attestation (id, asset, counted, booked, as_of, statement, operator, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id',
);
const READ = statement('books.read_attestation', `SELECT ${COLUMNS} FROM books.attestation WHERE id = $1`);
const LIST = statement('books.list_attestations', `SELECT ${COLUMNS} FROM books.attestation ORDER BY at DESC LIMIT 20`);
const NEWEST = statement(
  'books.newest_attestations',
  `SELECT DISTINCT ON (asset) ${COLUMNS} FROM books.attestation ORDER BY asset, as_of DESC, at DESC`,
);

/** Returns null, or the attestation that has this id already. */
export async function insertAttestation(
  queries: Queries,
  row: Omit<AttestationRow, 'counted' | 'booked'> & { readonly counted: bigint; readonly booked: bigint },
): Promise<AttestationRow | null> {
  const { id, asset, counted, booked, as_of: asOf, statement: named, operator, at } = row;
  const made = await queries.query(INSERT, [id, asset, counted, booked, asOf, named, operator, at]);
  return made.length > 0 ? null : ((await queries.query<AttestationRow>(READ, [id]))[0] ?? null);
}
export const listAttestations = (queries: Queries): Promise<AttestationRow[]> => queries.query<AttestationRow>(LIST);
export const newestAttestations = (queries: Queries): Promise<AttestationRow[]> =>
  queries.query<AttestationRow>(NEWEST);
