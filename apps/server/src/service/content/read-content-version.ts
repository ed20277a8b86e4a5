import { type ContentSettings, type ContentWords, readContentVersion } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findVersion } from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';

export function readContentVersionHandler({ database }: PublishingModule): Handler {
  return handle(readContentVersion, async ({ request: { id, version } }) => {
    const row = await findVersion(database, id, version);
    if (row === null) return refuse('content_unknown', { field: 'id' });
    const content: unknown = JSON.parse(row.content);
    const isSettings = row.part === 'settings';
    return accept({
      part: row.part,
      words: isSettings ? null : (content as ContentWords),
      settings: isSettings ? (content as ContentSettings) : null,
    });
  });
}
