import type { OperatorRole } from '@sathorn/api';
import { type Queries, statement } from '../../platform/database/index.ts';

export type OperatorSessionEnd = 'logout' | 'idle' | 'too_old' | 'operator' | 'removed';

interface OpenOperatorSession {
  readonly id: string;
  readonly operator: bigint;
  readonly address: string;
  readonly work_name: string;
  readonly roles: OperatorRole[];
  readonly created_at: Date;
  readonly used_at: Date;
  readonly is_active: boolean;
}

// Also writes the log's entry, so it must be the last statement of its transaction.
const open = statement('operators.open_session', 'SELECT operators.open_session($1, $2, $3, $4, $5, $6, $7)');
const find = statement(
  'operators.find_session',
  `SELECT s.id, s.operator, s.address, o.work_name, o.roles, s.created_at, s.used_at, o.removed_at IS NULL AND o.frozen_at IS NULL AS is_active
   FROM operators.session s JOIN operators.operator o ON o.id = s.operator WHERE s.token_hash = $1 AND s.ended_at IS NULL`,
);
const touch = statement(
  'operators.touch_session',
  'UPDATE operators.session SET used_at = greatest(used_at, $2) WHERE id = $1 AND ended_at IS NULL',
);
const end = statement(
  'operators.end_session',
  'UPDATE operators.session SET ended_at = $2, ended_by = $3 WHERE id = $1 AND ended_at IS NULL',
);

/** Holds the log's lock until the commit. */
export async function insertOperatorSession(
  queries: Queries,
  session: {
    readonly id: string;
    readonly tokenHash: Buffer;
    readonly operator: bigint;
    readonly factor: 'authenticator' | 'recovery_code' | 'passkey';
    readonly device: string;
    readonly address: string;
  },
  now: Date,
): Promise<void> {
  const { id, tokenHash, operator, factor, device, address } = session;
  await queries.query(open, [id, tokenHash, operator, factor, device, address, now]);
}

export async function findOperatorSession(queries: Queries, tokenHash: Buffer): Promise<OpenOperatorSession | null> {
  return (await queries.query<OpenOperatorSession>(find, [tokenHash]))[0] ?? null;
}

export async function touchOperatorSession(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query(touch, [id, now]);
}

export async function endOperatorSession(
  queries: Queries,
  id: string,
  by: OperatorSessionEnd,
  now: Date,
): Promise<void> {
  await queries.query(end, [id, now, by]);
}
