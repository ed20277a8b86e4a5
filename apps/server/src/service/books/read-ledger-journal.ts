import { readLedgerJournal } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { BooksDependencies } from './books.ts';
import { viewTransfers } from './transfer-view.ts';

export function readLedgerJournalHandler(module: BooksDependencies): Handler {
  return handle(readLedgerJournal, async ({ request: { id } }) => {
    const found = await module.ledger.journal(id.toLowerCase());
    if (!found) return refuse('journal_unknown', { field: 'id' });
    const { at, transfers, ...journal } = found;
    return accept({ ...journal, at: at.toISOString(), transfers: await viewTransfers(module, transfers) });
  });
}
