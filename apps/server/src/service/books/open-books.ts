import type { CoinCovers } from '../../exchange/contracts/index.ts';
import type { Module } from '../../platform/module.ts';
import { attestBalanceHandler } from './attest-balance.ts';
import { openCoinCovers } from './coin-covers.ts';
import { listLedgerAccountsHandler } from './list-ledger-accounts.ts';
import { listLedgerTransfersHandler } from './list-ledger-transfers.ts';
import { readLedgerJournalHandler } from './read-ledger-journal.ts';
import { readReconciliationHandler } from './read-reconciliation.ts';
import type { BooksRoom } from './room.ts';

export type BooksDependencies = BooksRoom;

export interface Books {
  readonly coverOf: CoinCovers;
}

/** What staff read of the ledger, and custody against it. Nothing here moves money. */
export function openBooks(room: BooksDependencies): Module<Books> {
  return {
    api: { coverOf: openCoinCovers(room) },
    handlers: [
      listLedgerAccountsHandler(room),
      listLedgerTransfersHandler(room),
      readLedgerJournalHandler(room),
      readReconciliationHandler(room),
      attestBalanceHandler(room),
    ],
  };
}
