import type { Queries } from '../../platform/database/index.ts';
import { type NewOperatorSession, OPERATOR_SESSION_IDLE_MS } from './operator-sessions.ts';
import type { OperatorRow } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';

const viewOperator = ({ id, work_name, roles }: Pick<OperatorRow, 'id' | 'work_name' | 'roles'>) => ({
  id: String(id),
  work_name,
  roles,
});

/** Opens a session, logs that, and returns the session in the console's format. */
export async function openOperatorSession(
  { sessions }: Pick<OperatorsModule, 'sessions'>,
  transaction: Queries,
  operator: OperatorRow,
  how: Omit<NewOperatorSession, 'operator'>,
  now: Date,
) {
  const token = await sessions.open(transaction, { ...how, operator: operator.id }, now);
  return { token, operator: viewOperator(operator), idle_seconds: OPERATOR_SESSION_IDLE_MS / 1_000 };
}
