import { liftSignInDelay } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readOperatorRow } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';

/** Ends the delay that strangers' guesses cause for a name. One administrator is enough to allow the next attempt. */
export function liftSignInDelayHandler({ database, attempts, audit }: OperatorsModule): Handler {
  return handle(liftSignInDelay, async ({ operator, request: { id, reason }, now }) => {
    const found = await readOperatorRow(database, id);
    if (!found?.is_active) return refuse('operator_unknown', { field: 'id' });
    const name = found.work_name;
    if (!(await attempts.delaysOf([name], now)).has(name)) return refuse('nothing_changes', { field: 'id' });
    await attempts.lift(name, now);
    await database.transaction((transaction) =>
      audit.append(transaction, {
        operator,
        what: 'operator.delay_lifted',
        on: { kind: 'operator', id: String(id) },
        note: reason,
      }),
    );
    return accept({});
  });
}
