import { readContent } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findEntry } from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';
import { viewContentEntry } from './view-content.ts';

export function readContentHandler(module: PublishingModule): Handler {
  return handle(readContent, async ({ request: { id }, now }) => {
    const entry = await findEntry(module.database, id);
    return entry === null
      ? refuse('content_unknown', { field: 'id' })
      : accept(await viewContentEntry(module, entry, now));
  });
}
