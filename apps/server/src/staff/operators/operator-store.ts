import type { OperatorRole } from '@sathorn/api';
import { type Queries, statement } from '../../platform/database/index.ts';

export interface OperatorRow {
  readonly id: bigint;
  readonly work_name: string;
  readonly roles: OperatorRole[];
  readonly customer: bigint | null;
  readonly enrolment_hash: Buffer | null;
  readonly is_active: boolean;
}
export interface OperatorCredentialRow {
  readonly password: string;
  readonly authenticator: Buffer;
  readonly used_step: bigint;
}

const COLUMNS =
  'id, work_name, roles, customer, CASE WHEN enrolment_until > clock_timestamp() THEN enrolment_hash END AS enrolment_hash, removed_at IS NULL AND frozen_at IS NULL AS is_active';
const byName = statement('operators.by_name', `SELECT ${COLUMNS} FROM operators.operator WHERE work_name = $1`);
const byId = statement('operators.by_id', `SELECT ${COLUMNS} FROM operators.operator WHERE id = $1`);
const listAll = statement('operators.list', `SELECT ${COLUMNS} FROM operators.operator ORDER BY id`);
const credential = statement(
  'operators.credential',
  'SELECT password, authenticator, used_step FROM operators.credential WHERE operator = $1',
);
// The step only increases, so that of two requests with the same code only one succeeds.
const useStep = statement(
  'operators.use_step',
  'UPDATE operators.credential SET used_step = $2 WHERE operator = $1 AND used_step < $2 RETURNING operator',
);
const keepCredential = statement(
  'operators.keep_credential',
  `INSERT INTO operators.credential (operator, password, authenticator, used_step, changed_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (operator) DO UPDATE SET password = excluded.password, authenticator = excluded.authenticator,
     used_step = excluded.used_step, changed_at = excluded.changed_at`,
);
const addRecoveryCodes = statement(
  'operators.add_recovery_codes',
  'INSERT INTO operators.recovery_code (operator, hash) SELECT $1, hash FROM unnest($2::bytea[]) AS c(hash)',
);
const retireRecoveryCodes = statement(
  'operators.retire_recovery_codes',
  'UPDATE operators.recovery_code SET used_at = $2 WHERE operator = $1 AND used_at IS NULL',
);
const useRecoveryCode = statement(
  'operators.use_recovery_code',
  'UPDATE operators.recovery_code SET used_at = $3 WHERE operator = $1 AND hash = $2 AND used_at IS NULL RETURNING operator',
);
const spendEnrolment = statement('operators.spend_enrolment', 'SELECT operators.spend_enrolment($1, $2) AS is_spent');
const create = statement('operators.create', 'SELECT operators.create_operator($1, $2, $3, $4) AS id');

export async function findOperator(queries: Queries, workName: string): Promise<OperatorRow | null> {
  return (await queries.query<OperatorRow>(byName, [workName]))[0] ?? null;
}
export async function readOperatorRow(queries: Queries, id: bigint): Promise<OperatorRow | null> {
  return (await queries.query<OperatorRow>(byId, [id]))[0] ?? null;
}
export function listOperatorRows(queries: Queries): Promise<OperatorRow[]> {
  return queries.query<OperatorRow>(listAll);
}

export async function readOperatorCredential(
  queries: Queries,
  operator: bigint,
): Promise<OperatorCredentialRow | null> {
  return (await queries.query<OperatorCredentialRow>(credential, [operator]))[0] ?? null;
}

/** Returns false if this code, or a later one, has been used in the meantime. */
export async function useCodeStepOnce(queries: Queries, operator: bigint, step: number): Promise<boolean> {
  return (await queries.query(useStep, [operator, step])).length > 0;
}

export async function storeCredentials(
  queries: Queries,
  operator: bigint,
  kept: {
    readonly password: string;
    readonly authenticator: Buffer;
    readonly usedStep: number;
    readonly codes: readonly Buffer[];
  },
  now: Date,
): Promise<void> {
  await queries.query(keepCredential, [operator, kept.password, kept.authenticator, kept.usedStep, now]);
  await queries.query(retireRecoveryCodes, [operator, now]);
  await queries.query(addRecoveryCodes, [operator, kept.codes]);
}

export async function useRecoveryCodeOnce(
  queries: Queries,
  operator: bigint,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  return (await queries.query(useRecoveryCode, [operator, hash, now])).length > 0;
}

export async function spendEnrolmentOnce(queries: Queries, operator: bigint, hash: Buffer): Promise<boolean> {
  const [row] = await queries.query<{ is_spent: boolean }>(spendEnrolment, [operator, hash]);
  return row?.is_spent ?? false;
}

/** Runs as the database's owner, because the application lacks the right. */
export async function createOperatorRow(
  owner: Queries,
  workName: string,
  roles: readonly OperatorRole[],
  enrolmentHash: Buffer,
  hours: number,
): Promise<bigint> {
  const [row] = await owner.query<{ id: bigint }>(create, [workName, roles, enrolmentHash, hours]);
  if (!row) throw new Error('no operator was made');
  return row.id;
}

const renew = statement('operators.renew_by_owner', 'SELECT operators.renew_by_owner($1, $2, $3) AS id');
/**
 * Revokes all of an operator's credentials and lets them enrol again within `hours`. Only the database's owner may call
 * it.
 */
export async function renewAccessAsOwner(owner: Queries, workName: string, hash: Buffer, hours: number): Promise<void> {
  await owner.query(renew, [workName, hash, hours]);
}

const waiting = statement(
  'operators.is_waiting',
  "SELECT 1 AS waits FROM operators.approval WHERE kind = $1 AND subject = $2 AND status = 'waiting'",
);
/** True if an approval of this kind and subject is open. */
export async function isApprovalOpen(queries: Queries, kind: string, subject: string): Promise<boolean> {
  return (await queries.query(waiting, [kind, subject])).length > 0;
}
