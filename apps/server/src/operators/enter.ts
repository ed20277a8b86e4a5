import type { Queries } from '../database/index.ts';
import type { Entering } from './operator-sessions.ts';
import { IDLE_MS } from './operator-sessions.ts';
import type { OperatorRow } from './operator-store.ts';
import type { Room } from './room.ts';

export const viewOperator = ({ id, work_name, roles }: Pick<OperatorRow, 'id' | 'work_name' | 'roles'>) => ({
  id: String(id),
  work_name,
  roles,
});

/** Opens a session, logs it, and returns it in the console's format. */
export async function enter(
  { sessions, audit }: Pick<Room, 'sessions' | 'audit'>,
  transaction: Queries,
  operator: OperatorRow,
  how: Omit<Entering, 'operator'>,
  now: Date,
) {
  const { token, sessionId } = await sessions.open(transaction, { ...how, operator: operator.id }, now);
  await audit.append(transaction, {
    operator: { id: operator.id, sessionId },
    what: 'operator.signed_in',
    on: { kind: 'operator', id: String(operator.id) },
    after: { factor: how.factor },
  });
  return { token, operator: viewOperator(operator), idle_seconds: IDLE_MS / 1_000 };
}
