import { readContent } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findEntry } from './contents-store.ts';
import type { PublishingRoom } from './publishing-room.ts';
import { viewEntry } from './view-content.ts';

export function readContentHandler(room: PublishingRoom): Handler {
  return handle(readContent, async ({ request: { id }, now }) => {
    const entry = await findEntry(room.database, id);
    return entry === null ? refuse('content_unknown', { field: 'id' }) : accept(await viewEntry(room, entry, now));
  });
}
