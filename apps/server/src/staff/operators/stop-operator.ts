import type { ListedOperator } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { statement } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { findOtherOperator } from './change-operator.ts';
import { viewOperatorById } from './operator-view.ts';
import type { OperatorsModule } from './operators.ts';

const stop = statement('operators.stop_operator', 'SELECT operators.stop_operator($1, $2, $3, $4) AS refusal');

type StopRefusal = 'operator_unknown' | 'own_role' | 'role_missing' | 'nothing_changes' | 'last_admin';
type Refusal = StopRefusal | 'fingerprint_stale' | 'step_up_required' | 'step_up_expired';

/** One administrator ends another operator's access, temporarily or for good. */
export async function stopOperator(
  { database, stepUps, audit }: OperatorsModule,
  operator: OperatorSession,
  how: 'freeze' | 'remove',
  { id, reason, fingerprint }: { readonly id: bigint; readonly reason: string; readonly fingerprint: string },
): Promise<Decision<ListedOperator, Refusal>> {
  const done = await database.transaction(async (transaction): Promise<Decision<null, Refusal>> => {
    const found = await findOtherOperator(transaction, operator, id);
    if (!found.ok) return found;
    if (found.effect.fingerprint !== fingerprint) return refuse('fingerprint_stale');
    const of = { act: `operator.${how}`, subject: String(id), fingerprint };
    const confirmed = await stepUps.spend(transaction, operator, of);
    if (!confirmed.ok) return confirmed;
    const values = [id, operator.id, operator.sessionId, how];
    const [row] = await transaction.query<{ refusal: StopRefusal | null }>(stop, values);
    if (!row) throw new Error('a stop was not answered');
    if (row.refusal !== null) return refuse(row.refusal);
    await audit.append(transaction, {
      operator,
      what: how === 'freeze' ? 'operator.frozen' : 'operator.removed',
      on: { kind: 'operator', id: String(id) },
      before: { state: found.effect.state },
      after: { state: how === 'freeze' ? 'frozen' : 'removed' },
      note: reason,
    });
    return accept(null);
  });
  if (!done.ok) return done;
  const now = await viewOperatorById(database, id);
  return now ? accept(now) : refuse('operator_unknown');
}
