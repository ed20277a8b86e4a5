import { randomUUID } from 'node:crypto';
import { exportBankPayments } from '@sathorn/api';
import { formatMoney, zero } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { csvCell } from './csv-cell.ts';
import { findUnauthorised } from './find-unauthorised.ts';
import { readBankPaymentsToExport, readWithdrawals, takeBankExport, type WithdrawalRow } from './withdrawal-store.ts';
import { unsealCard } from './withdrawal-view.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/** The largest number of payments to consider for one file. */
const EXPORTED_MAX = 2_000;

/**
 * Returns the payments that the checker has scanned without a finding since their money was taken. No signer verifies
 * votes before a bank pays, so the checker must find a vote that nobody signed before that.
 */
async function clearedOf(
  { ledger, clearedUpTo }: WithdrawalsModule,
  rows: readonly WithdrawalRow[],
): Promise<ReadonlySet<string>> {
  const upTo = clearedUpTo();
  if (upTo === null) return new Set();
  const ends = await ledger.transfersOfHolds(rows.map(({ hold }) => hold));
  const taken = new Set(
    ends.flatMap(({ resolves, sequence }) => (sequence <= upTo && resolves !== null ? [resolves] : [])),
  );
  return new Set(rows.flatMap(({ id, hold }) => (taken.has(hold) ? [id] : [])));
}

/** Exports the payment file. From then on these payments are at the bank, and only the bank's answer ends them. */
export function exportBankPaymentsHandler(module: WithdrawalsModule): Handler {
  const { database, sealer, audit, changed, onFault } = module;
  return handle(exportBankPayments, async ({ operator, now }) => {
    if ((await module.heldSince(database)) !== null) return refuse('after_restoration');
    const open = await readBankPaymentsToExport(database, EXPORTED_MAX);
    const cleared = await clearedOf(module, open);
    if (cleared.size === 0 && open.length > 0) return refuse('payments_unchecked');
    const file = randomUUID();
    const ids = await database.transaction(async (transaction) => {
      const waiting = (await readBankPaymentsToExport(transaction, EXPORTED_MAX)).filter(({ id }) => cleared.has(id));
      const unauthorised = await findUnauthorised(module, transaction, waiting);
      for (const id of unauthorised)
        onFault(new Error(`alarm: withdrawal ${id} has no valid authorisation: it is not exported to the bank`));
      const authorised = waiting.map(({ id }) => id).filter((id) => !unauthorised.includes(id));
      const taken = await takeBankExport(transaction, file, authorised, now);
      if (taken.length > 0)
        await audit.append(transaction, {
          operator,
          what: 'bank_payments.exported',
          on: { kind: 'export', id: file },
          after: { withdrawals: taken },
        });
      return taken;
    });
    const rows = await readWithdrawals(database, ids);
    const lines = rows.map((row) => {
      const card = unsealCard(sealer, row);
      return [
        row.order_number,
        card?.bank ?? '',
        card?.ifsc ?? '',
        card?.number ?? '',
        card?.realName ?? '',
        formatMoney(row.baht ?? zero('THB')),
        'THB',
      ]
        .map(csvCell)
        .join(',');
    });
    await changed(ids);
    const csv = [
      ['reference', 'bank', 'branch', 'account', 'name', 'amount', 'currency'].map(csvCell).join(','),
      ...lines,
    ];
    return accept({ export: ids.length > 0 ? file : null, count: ids.length, csv: `${csv.join('\r\n')}\r\n` });
  });
}
