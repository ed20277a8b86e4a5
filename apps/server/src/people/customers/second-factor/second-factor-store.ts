import { type Queries, statement } from '../../../platform/database/index.ts';
import type { Passkey } from '../../../platform/webauthn.ts';

export interface SecondFactorRow {
  readonly customer: bigint;
  readonly sealed: Buffer;
  readonly started_at: Date;
  readonly confirmed_at: Date | null;
  readonly used_step: bigint;
}
export interface PasskeyRow extends Passkey {
  readonly customer: bigint;
  readonly name: string;
  readonly created_at: Date;
  readonly used_at: Date | null;
}
type ChallengePurpose = 'register' | 'login' | 'step';
export interface ChallengeRow {
  readonly id: string;
  readonly purpose: ChallengePurpose;
  readonly customer: bigint | null;
  readonly operation: Buffer | null;
  readonly challenge: string;
  readonly expires_at: Date;
}

const read = statement(
  'customers.read_second_factor',
  'SELECT customer, sealed, started_at, confirmed_at, used_step FROM customers.second_factor WHERE customer = $1',
);
// A second factor that is only being set up does not replace an active one.
const begin = statement(
  'customers.begin_second_factor',
  `INSERT INTO customers.second_factor (customer, sealed, started_at) VALUES ($1, $2, $3)
   ON CONFLICT (customer) DO UPDATE SET sealed = excluded.sealed, started_at = excluded.started_at, used_step = 0
   WHERE customers.second_factor.confirmed_at IS NULL RETURNING customer`,
);
const confirm = statement(
  'customers.confirm_second_factor',
  'UPDATE customers.second_factor SET confirmed_at = $2 WHERE customer = $1 AND confirmed_at IS NULL AND started_at = $3 RETURNING customer',
);
// The step only increases, so that of two requests with the same code only one succeeds.
const useStep = statement(
  'customers.use_second_factor_step',
  'UPDATE customers.second_factor SET used_step = $2 WHERE customer = $1 AND used_step < $2 RETURNING customer',
);
const stop = statement('customers.stop_second_factor', 'DELETE FROM customers.second_factor WHERE customer = $1');
const dropCodes = statement('customers.drop_recovery_codes', 'DELETE FROM customers.recovery_code WHERE customer = $1');
const addCodes = statement(
  'customers.add_recovery_codes',
  'INSERT INTO customers.recovery_code (customer, hash) SELECT $1, hash FROM unnest($2::bytea[]) AS c(hash)',
);
const useCode = statement(
  'customers.use_recovery_code',
  'UPDATE customers.recovery_code SET used_at = $3 WHERE customer = $1 AND hash = $2 AND used_at IS NULL RETURNING customer',
);
const countCodes = statement(
  'customers.count_recovery_codes',
  'SELECT count(*) FILTER (WHERE used_at IS NULL) AS unused, count(*) AS all FROM customers.recovery_code WHERE customer = $1',
);
const PASSKEY = 'id, customer, public_key, counter, transports, name, mac, created_at, used_at';
const listPasskeyRows = statement(
  'customers.list_passkeys',
  `SELECT ${PASSKEY} FROM customers.passkey WHERE customer = $1 ORDER BY created_at, id`,
);
const findPasskeyRow = statement('customers.find_passkey', `SELECT ${PASSKEY} FROM customers.passkey WHERE id = $1`);
const addPasskey = statement(
  'customers.add_passkey',
  `INSERT INTO customers.passkey (id, customer, public_key, counter, transports, name, mac, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING RETURNING id`,
);
const movePasskey = statement(
  'customers.use_passkey',
  'UPDATE customers.passkey SET counter = $2, used_at = $3 WHERE id = $1 AND (counter < $2 OR counter = 0) RETURNING id',
);
const removePasskeyRow = statement(
  'customers.remove_passkey',
  'DELETE FROM customers.passkey WHERE customer = $1 AND id = $2 RETURNING name',
);
const addChallenge = statement(
  'customers.add_challenge',
  'INSERT INTO customers.challenge (id, purpose, customer, operation, challenge, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
);
// Takes a challenge, which can be answered once, rightly or wrongly; a second try needs a new one.
const takeChallenge = statement(
  'customers.take_challenge',
  `UPDATE customers.challenge SET answered_at = $4
   WHERE id = $1 AND purpose = $2 AND customer IS NOT DISTINCT FROM $3 AND answered_at IS NULL AND expires_at > $4
   RETURNING id, purpose, customer, operation, challenge, expires_at`,
);
const keepProof = statement('customers.keep_proof', 'UPDATE customers.challenge SET proof_hash = $2 WHERE id = $1');
const spendProof = statement(
  'customers.spend_proof',
  `UPDATE customers.challenge SET spent_at = $4
   WHERE proof_hash = $1 AND customer = $2 AND operation = $3 AND spent_at IS NULL AND expires_at > $4 RETURNING id`,
);
const sweepChallenges = statement(
  'customers.sweep_challenges',
  'DELETE FROM customers.challenge WHERE expires_at < $1',
);
const changed = statement(
  'customers.change_factor',
  `INSERT INTO customers.factor_change (customer, at) VALUES ($1, $2)
   ON CONFLICT (customer) DO UPDATE SET at = greatest(customers.factor_change.at, excluded.at)`,
);
const lastFactorChange = statement(
  'customers.last_factor_change',
  'SELECT at FROM customers.factor_change WHERE customer = $1',
);
const unsealed = statement('customers.unsealed_passkeys', `SELECT ${PASSKEY} FROM customers.passkey WHERE mac = ''`);
const seal = statement('customers.seal_passkey', `UPDATE customers.passkey SET mac = $2 WHERE id = $1 AND mac = ''`);
const lastChange = statement('customers.last_credential_change', 'SELECT customers.credentials_changed_at($1) AS at');

export async function readSecondFactorRow(queries: Queries, customer: bigint): Promise<SecondFactorRow | null> {
  return (await queries.query<SecondFactorRow>(read, [customer]))[0] ?? null;
}
/** False if one is already active. */
export async function beginSecondFactor(
  queries: Queries,
  customer: bigint,
  sealed: Buffer,
  now: Date,
): Promise<boolean> {
  return (await queries.query(begin, [customer, sealed, now])).length > 0;
}
/** False if the factor is already active, or its set-up began again since the code was checked. */
export async function confirmSecondFactorRow(
  queries: Queries,
  { customer, started_at }: SecondFactorRow,
  now: Date,
): Promise<boolean> {
  return (await queries.query(confirm, [customer, now, started_at])).length > 0;
}
/** False if this step's code was used before. */
export async function useFactorStep(queries: Queries, customer: bigint, step: number): Promise<boolean> {
  return (await queries.query(useStep, [customer, step])).length > 0;
}
export async function dropSecondFactor(queries: Queries, customer: bigint): Promise<void> {
  await queries.query(stop, [customer]);
  await queries.query(dropCodes, [customer]);
}
export async function replaceRecoveryCodes(
  queries: Queries,
  customer: bigint,
  hashes: readonly Buffer[],
): Promise<void> {
  await queries.query(dropCodes, [customer]);
  await queries.query(addCodes, [customer, hashes]);
}
/** False if the code is wrong or was used. */
export async function spendRecoveryCode(queries: Queries, customer: bigint, hash: Buffer, now: Date): Promise<boolean> {
  return (await queries.query(useCode, [customer, hash, now])).length > 0;
}
export async function countRecoveryCodes(queries: Queries, customer: bigint): Promise<{ unused: number; all: number }> {
  const [row] = await queries.query<{ unused: bigint; all: bigint }>(countCodes, [customer]);
  return { unused: Number(row?.unused ?? 0n), all: Number(row?.all ?? 0n) };
}

export function listPasskeys(queries: Queries, customer: bigint): Promise<PasskeyRow[]> {
  return queries.query<PasskeyRow>(listPasskeyRows, [customer]);
}
export async function findPasskey(queries: Queries, id: string): Promise<PasskeyRow | null> {
  return (await queries.query<PasskeyRow>(findPasskeyRow, [id]))[0] ?? null;
}
/** False if the passkey is already registered. */
export async function insertPasskey(queries: Queries, row: Omit<PasskeyRow, 'used_at'>): Promise<boolean> {
  const { id, customer, public_key, counter, transports, name, mac, created_at } = row;
  const values = [id, customer, public_key, counter, transports, name, mac, created_at];
  return (await queries.query(addPasskey, values)).length > 0;
}
/** Stores the counter; false if it went back, because then the passkey was copied. Synchronised ones always have 0. */
export async function usePasskey(queries: Queries, id: string, counter: number, now: Date): Promise<boolean> {
  return (await queries.query(movePasskey, [id, counter, now])).length > 0;
}
/** Returns the passkey's name, or null if it is not this customer's. */
export async function deletePasskey(queries: Queries, customer: bigint, id: string): Promise<string | null> {
  return (await queries.query<{ name: string }>(removePasskeyRow, [customer, id]))[0]?.name ?? null;
}

export async function insertChallenge(queries: Queries, row: ChallengeRow): Promise<void> {
  await queries.query(addChallenge, [row.id, row.purpose, row.customer, row.operation, row.challenge, row.expires_at]);
}
/** Null if it has expired, was answered, or belongs to another customer or purpose. */
export async function answerChallenge(
  queries: Queries,
  { id, purpose, customer }: Pick<ChallengeRow, 'id' | 'purpose' | 'customer'>,
  now: Date,
): Promise<ChallengeRow | null> {
  return (await queries.query<ChallengeRow>(takeChallenge, [id, purpose, customer, now]))[0] ?? null;
}
export async function storeProofHash(queries: Queries, challenge: string, hash: Buffer): Promise<void> {
  await queries.query(keepProof, [challenge, hash]);
}
export async function spendProofHash(
  queries: Queries,
  { hash, customer, operation }: { readonly hash: Buffer; readonly customer: bigint; readonly operation: Buffer },
  now: Date,
): Promise<boolean> {
  return (await queries.query(spendProof, [hash, customer, operation, now])).length > 0;
}
export async function sweepOldChallenges(queries: Queries, before: Date): Promise<void> {
  await queries.query(sweepChallenges, [before]);
}

export async function markFactorsChanged(queries: Queries, customer: bigint, now: Date): Promise<void> {
  await queries.query(changed, [customer, now]);
}
export async function readFactorsChangedAt(queries: Queries, customer: bigint): Promise<Date | null> {
  return (await queries.query<{ at: Date }>(lastFactorChange, [customer]))[0]?.at ?? null;
}
/** Seals passkeys of older versions. Only the database's owner may; every new row has a seal. */
export async function sealPasskeyRows(owner: Queries, macOf: (row: PasskeyRow) => Buffer): Promise<number> {
  const rows = await owner.query<PasskeyRow>(unsealed);
  for (const row of rows) await owner.query(seal, [row.id, macOf(row)]);
  return rows.length;
}
/** The latest change of a password, a contact or a second factor since the sign-up; null if there was none. */
export async function readCredentialsChangedAt(queries: Queries, customer: bigint): Promise<Date | null> {
  return (await queries.query<{ at: Date | null }>(lastChange, [customer]))[0]?.at ?? null;
}
