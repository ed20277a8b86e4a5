import type { Module } from '../module.ts';
import { attestBalanceHandler } from './attest-balance.ts';
import { listLedgerAccountsHandler } from './list-ledger-accounts.ts';
import { listLedgerTransfersHandler } from './list-ledger-transfers.ts';
import { readLedgerJournalHandler } from './read-ledger-journal.ts';
import { readReconciliationHandler } from './read-reconciliation.ts';
import type { BooksRoom } from './room.ts';

export type BooksDependencies = BooksRoom;

/** What staff read of the ledger, and custody against it. Nothing here moves money. */
export function openBooks(room: BooksDependencies): Module<null> {
  return {
    api: null,
    handlers: [
      listLedgerAccountsHandler(room),
      listLedgerTransfersHandler(room),
      readLedgerJournalHandler(room),
      readReconciliationHandler(room),
      attestBalanceHandler(room),
    ],
  };
}
