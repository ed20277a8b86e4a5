import { randomUUID } from 'node:crypto';
import { openBankRun } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { decideBankRunOpening, hashOfBankFile } from '@sathorn/treasury';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { WithdrawalsModule } from '../withdrawals.ts';
import { clearedOf, findBankPayable, readPaymentsOf } from './bank-payments.ts';
import { insertBankRun, readOpenBankRun } from './bank-run-store.ts';

/** How long people have to sign a run. */
const LAPSES_MS = 24 * 60 * 60 * 1_000;

export function openBankRunHandler(module: WithdrawalsModule): Handler {
  const { database, audit, onFault } = module;
  return handle(openBankRun, async ({ operator, request: { withdrawals: wanted }, now }) => {
    const { rows, unauthorised } = await findBankPayable(module);
    for (const id of unauthorised)
      onFault(new Error(`alarm: withdrawal ${id} has no valid authorisation: the bank is not asked to pay it`));
    const lines = rows.filter(({ id }) => wanted.includes(id));
    const cleared = await clearedOf(module, lines);
    return database.transaction(async (transaction) => {
      const decision = decideBankRunOpening({
        isHeld: (await module.heldSince(transaction)) !== null,
        isBusy: (await readOpenBankRun(transaction)) !== null,
        wanted,
        payable: new Set(lines.map(({ id }) => id)),
        cleared,
      });
      if (!decision.ok) return decision;
      const id = randomUUID();
      const hash = hashOfBankFile(readPaymentsOf(module, lines));
      const run = { id, hash, opened_by: operator.id, lapses_at: new Date(now.getTime() + LAPSES_MS) };
      const ids = lines.map((line) => line.id);
      await insertBankRun(transaction, run, ids);
      await audit.append(transaction, {
        operator,
        what: 'bank_run.opened',
        on: { kind: 'bank_run', id },
        after: { hash, withdrawals: ids },
      });
      return accept({ run: id });
    });
  });
}
