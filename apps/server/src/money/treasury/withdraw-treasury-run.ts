import { withdrawTreasuryRun } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { TreasuryModule } from './treasury.ts';
import { lockRun, withdrawRun } from './treasury-store.ts';

export function withdrawTreasuryRunHandler({ database, audit }: TreasuryModule): Handler {
  return handle(withdrawTreasuryRun, async ({ operator, request: { id }, now }) =>
    database.transaction(async (transaction) => {
      const run = await lockRun(transaction, id);
      if (run === null) return refuse('run_unknown', { field: 'id' });
      // Whoever has enough signatures can send them, so nothing takes them back.
      if (run.step !== 'open' || !(await withdrawRun(transaction, id, now))) return refuse('run_closed');
      await audit.append(transaction, {
        operator,
        what: 'run.withdrawn',
        on: { kind: 'run', id },
        after: { hash: run.hash },
      });
      return accept({ run: id });
    }),
  );
}
