import { type Queries, statement } from '../../platform/database/index.ts';
import type { Passkey } from '../../platform/webauthn.ts';

export interface PasskeyRow extends Passkey {
  readonly operator: bigint;
  readonly name: string;
  readonly created_at: Date;
  readonly used_at: Date | null;
}

const COLUMNS = 'id, operator, public_key, counter, transports, name, mac, created_at, used_at';
const list = statement(
  'operators.list_passkeys',
  `SELECT ${COLUMNS} FROM operators.passkey WHERE operator = $1 AND removed_at IS NULL ORDER BY created_at`,
);
const find = statement(
  'operators.find_passkey',
  `SELECT ${COLUMNS} FROM operators.passkey WHERE id = $1 AND removed_at IS NULL`,
);
const insert = statement(
  'operators.insert_passkey',
  'INSERT INTO operators.passkey (id, operator, public_key, counter, transports, name, mac, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id',
);
const use = statement(
  'operators.use_passkey',
  'UPDATE operators.passkey SET counter = $2, used_at = $3 WHERE id = $1 AND (counter < $2 OR counter = 0) RETURNING id',
);
const remove = statement(
  'operators.remove_passkey',
  'UPDATE operators.passkey SET removed_at = $3 WHERE id = $1 AND operator = $2 AND removed_at IS NULL RETURNING id',
);

const unsealed = statement('operators.unsealed_passkeys', `SELECT ${COLUMNS} FROM operators.passkey WHERE mac = ''`);
const seal = statement('operators.seal_passkey', `UPDATE operators.passkey SET mac = $2 WHERE id = $1 AND mac = ''`);
const live = statement(
  'operators.live_passkeys',
  `SELECT ${COLUMNS} FROM operators.passkey WHERE removed_at IS NULL ORDER BY created_at, id`,
);

/** Seals passkeys of older versions. Only the database's owner may; every new row has a seal. */
export async function sealOperatorPasskeyRows(owner: Queries, macOf: (row: PasskeyRow) => Buffer): Promise<number> {
  const rows = await owner.query<PasskeyRow>(unsealed);
  for (const row of rows) await owner.query(seal, [row.id, macOf(row)]);
  return rows.length;
}
export function listLivePasskeys(queries: Queries): Promise<PasskeyRow[]> {
  return queries.query<PasskeyRow>(live);
}
export function listPasskeyRows(queries: Queries, operator: bigint): Promise<PasskeyRow[]> {
  return queries.query<PasskeyRow>(list, [operator]);
}
export async function findPasskey(queries: Queries, id: string): Promise<PasskeyRow | null> {
  return (await queries.query<PasskeyRow>(find, [id]))[0] ?? null;
}
export async function insertPasskey(
  queries: Queries,
  passkey: Omit<PasskeyRow, 'created_at' | 'used_at'>,
  now: Date,
): Promise<boolean> {
  const { id, operator, public_key, counter, transports, name, mac } = passkey;
  const values = [id, operator, public_key, counter, transports, name, mac, now];
  return (await queries.query(insert, values)).length > 0;
}
/** Stores the counter; false if it went back, because then the passkey was copied. Synchronised ones always have 0. */
export async function usePasskey(queries: Queries, id: string, counter: number, now: Date): Promise<boolean> {
  return (await queries.query(use, [id, counter, now])).length > 0;
}
export async function removePasskeyRow(queries: Queries, id: string, operator: bigint, now: Date): Promise<boolean> {
  return (await queries.query(remove, [id, operator, now])).length > 0;
}
