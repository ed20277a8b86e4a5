import { takeDownContent } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { isSingleKind } from './contents.ts';
import { lockEntryRow, takeDownPublications } from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';
import { viewContentEntry } from './view-content.ts';

/** One person may do this alone. A pending request to publish the entry is withdrawn with it. */
export function takeDownContentHandler(module: PublishingModule): Handler {
  return handle(takeDownContent, async ({ operator, request: { id, reason }, now }) => {
    const done = await module.database.transaction(async (transaction) => {
      const entry = await lockEntryRow(transaction, id);
      if (entry === null) return refuse('content_unknown', { field: 'id' });
      // These kinds can only be replaced, because the app would have a page without a text.
      if (isSingleKind(entry.kind)) return refuse('kind_stays');
      // Locks the request first, so that a second vote in progress publishes before this takes everything down.
      const waiting = await module.findWaiting(transaction, 'content', id);
      if (waiting) await module.approvals.close(transaction, waiting.id, 'stale');
      const gone = await takeDownPublications(transaction, id, operator.id);
      if (gone.length === 0 && !waiting) return refuse('not_published');
      await module.messages.withdrawBroadcasts(transaction, gone, now);
      await module.audit.append(transaction, {
        operator,
        what: 'content.taken_down',
        on: { kind: 'content', id },
        after: { publications: gone },
        note: reason,
      });
      return accept(entry);
    });
    if (!done.ok) return done;
    module.shelf.forget();
    return accept(await viewContentEntry(module, done.effect, now));
  });
}
