import { readLedgerJournal } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { BooksRoom } from './room.ts';
import { viewTransfers } from './transfer-view.ts';

export function readLedgerJournalHandler(room: BooksRoom): Handler {
  return handle(readLedgerJournal, async ({ request: { id } }) => {
    const found = await room.ledger.journal(id.toLowerCase());
    if (!found) return refuse('journal_unknown', { field: 'id' });
    const { at, transfers, ...journal } = found;
    return accept({ ...journal, at: at.toISOString(), transfers: await viewTransfers(room, transfers) });
  });
}
