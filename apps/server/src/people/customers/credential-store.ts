import { type Queries, statement } from '../../platform/database/index.ts';

type CredentialKind = 'login' | 'payment';

export interface CredentialRow {
  hash: string;
  changed_at: Date;
  wrong: number;
  wrong_in_all: number;
  locked_until: Date | null;
}

const COLUMNS = 'hash, changed_at, wrong, wrong_in_all, locked_until';
const insert = statement(
  'customers.insert_credential',
  'INSERT INTO customers.credential (customer, kind, hash, changed_at) VALUES ($1, $2, $3, $4)',
);
const read = statement(
  'customers.read_credential',
  `SELECT ${COLUMNS} FROM customers.credential WHERE customer = $1 AND kind = $2`,
);
const lock = statement(
  'customers.lock_credential',
  `SELECT ${COLUMNS} FROM customers.credential WHERE customer = $1 AND kind = $2 FOR UPDATE`,
);
// Opening a session locks the credential: a change of the password waits, and so do other new sessions.
const holdUnchanged = statement(
  'customers.hold_credential',
  "SELECT 1 AS held FROM customers.credential WHERE customer = $1 AND kind = 'login' AND hash = $2 FOR NO KEY UPDATE",
);
const replace = statement(
  'customers.replace_credential',
  'UPDATE customers.credential SET hash = $3, changed_at = $4, wrong = 0, wrong_in_all = 0, locked_until = NULL WHERE customer = $1 AND kind = $2',
);
// Stores the same password hashed with a newer pepper, without a notice to the owner.
const renew = statement(
  'customers.renew_credential',
  'UPDATE customers.credential SET hash = $4 WHERE customer = $1 AND kind = $2 AND hash = $3',
);
const setTries = statement(
  'customers.update_credential_tries',
  'UPDATE customers.credential SET wrong = $3, wrong_in_all = $4, locked_until = $5 WHERE customer = $1 AND kind = $2',
);

export async function insertCredential(
  queries: Queries,
  customer: bigint,
  kind: CredentialKind,
  hash: string,
  now: Date,
): Promise<void> {
  await queries.query(insert, [customer, kind, hash, now]);
}

export async function readCredential(
  queries: Queries,
  customer: bigint,
  kind: CredentialKind,
): Promise<CredentialRow | null> {
  const [row] = await queries.query<CredentialRow>(read, [customer, kind]);
  return row ?? null;
}

export async function lockCredential(
  queries: Queries,
  customer: bigint,
  kind: CredentialKind,
): Promise<CredentialRow | null> {
  const [row] = await queries.query<CredentialRow>(lock, [customer, kind]);
  return row ?? null;
}

/** Locks the login password until the transaction ends. Returns false when it is no longer the verified one. */
export async function lockLoginIfUnchanged(queries: Queries, customer: bigint, hash: string): Promise<boolean> {
  return (await queries.query(holdUnchanged, [customer, hash])).length > 0;
}

export async function replaceCredential(
  queries: Queries,
  customer: bigint,
  kind: CredentialKind,
  hash: string,
  now: Date,
): Promise<void> {
  await queries.query(replace, [customer, kind, hash, now]);
}

export async function rehashCredential(
  queries: Queries,
  customer: bigint,
  kind: CredentialKind,
  from: string,
  to: string,
): Promise<void> {
  await queries.query(renew, [customer, kind, from, to]);
}

export async function updateCredentialTries(
  queries: Queries,
  customer: bigint,
  kind: CredentialKind,
  tries: { wrong: number; wrongInAll: number; lockedUntil: Date | null },
): Promise<void> {
  await queries.query(setTries, [customer, kind, tries.wrong, tries.wrongInAll, tries.lockedUntil]);
}
