import { withdrawBankRun } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { WithdrawalsModule } from '../withdrawals.ts';
import { endBankRun, lockBankRun } from './bank-run-store.ts';

export function withdrawBankRunHandler({ database, audit }: WithdrawalsModule): Handler {
  return handle(withdrawBankRun, async ({ operator, request: { id }, now }) =>
    database.transaction(async (transaction) => {
      const run = await lockBankRun(transaction, id);
      if (run === null) return refuse('run_unknown', { field: 'id' });
      // Finance may have downloaded a signed file.
      if (run.step !== 'open') return refuse('run_closed');
      await endBankRun(transaction, id, now);
      await audit.append(transaction, {
        operator,
        what: 'bank_run.withdrawn',
        on: { kind: 'bank_run', id },
        after: { hash: run.hash },
      });
      return accept({ run: id });
    }),
  );
}
