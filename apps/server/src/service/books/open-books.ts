import type { Module } from '../../platform/module.ts';
import { attestBalanceHandler } from './attest-balance.ts';
import type { BooksDependencies } from './books.ts';
import { listLedgerAccountsHandler } from './list-ledger-accounts.ts';
import { listLedgerTransfersHandler } from './list-ledger-transfers.ts';
import { readLedgerJournalHandler } from './read-ledger-journal.ts';
import { readReconciliationHandler } from './read-reconciliation.ts';

/** The pages on which staff read the ledger and compare custody with it. Nothing here moves money. */
export function openBooks(module: BooksDependencies): Module<null> {
  return {
    api: null,
    handlers: [
      listLedgerAccountsHandler(module),
      listLedgerTransfersHandler(module),
      readLedgerJournalHandler(module),
      readReconciliationHandler(module),
      attestBalanceHandler(module),
    ],
  };
}
