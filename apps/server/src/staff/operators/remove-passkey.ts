import { removePasskey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OperatorsModule } from './operators.ts';
import { removePasskeyRow } from './passkey-store.ts';

export function removePasskeyHandler({ database, audit }: OperatorsModule): Handler {
  return handle(removePasskey, async ({ operator, request, now }) =>
    database.transaction(async (transaction) => {
      if (!(await removePasskeyRow(transaction, request.id, operator.id, now)))
        return refuse('device_unknown', { field: 'id' });
      await audit.append(transaction, {
        operator,
        what: 'operator.device_removed',
        on: { kind: 'operator', id: String(operator.id) },
      });
      return accept({});
    }),
  );
}
