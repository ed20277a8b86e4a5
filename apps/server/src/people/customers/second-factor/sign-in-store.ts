import { type Queries, statement } from '../../../platform/database/index.ts';

export type SignInFactor = 'password' | 'authenticator' | 'recovery_code' | 'passkey' | 'registration';
export type SignInFailure = 'password_wrong' | 'second_factor_wrong' | 'frozen';

export interface SignInRow {
  readonly id: bigint;
  readonly at: Date;
  readonly device: string;
  readonly address: string;
  readonly factor: SignInFactor;
  readonly is_new_device: boolean;
  readonly failure: SignInFailure | null;
}

const insert = statement(
  'customers.insert_sign_in',
  `INSERT INTO customers.sign_in (customer, at, device, address, factor, is_new_device, failure) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const list = statement(
  'customers.list_sign_ins',
  `SELECT id, at, device, address, factor, is_new_device, failure FROM customers.sign_in
   WHERE customer = $1 AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
);
const sweep = statement('customers.sweep_sign_ins', 'DELETE FROM customers.sign_in WHERE at < $1');

export async function insertSignIn(
  queries: Queries,
  customer: bigint,
  { at, device, address, factor, is_new_device: isNewDevice, failure }: Omit<SignInRow, 'id'>,
): Promise<void> {
  await queries.query(insert, [customer, at, device, address, factor, isNewDevice, failure]);
}

export function listSignInRows(
  queries: Queries,
  customer: bigint,
  before: bigint | null,
  limit: number,
): Promise<SignInRow[]> {
  return queries.query<SignInRow>(list, [customer, before, limit]);
}

export async function sweepSignIns(queries: Queries, before: Date): Promise<void> {
  await queries.query(sweep, [before]);
}
