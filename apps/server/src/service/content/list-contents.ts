import { listContents } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listEntryPage } from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';
import { viewContentItem } from './view-content.ts';

const PAGE = 40;

export function listContentsHandler(module: PublishingModule): Handler {
  return handle(listContents, async ({ request: { kinds, page = '' }, now }) => {
    const [ms = '', id = ''] = page.split('.');
    const rows = await listEntryPage(
      module.database,
      kinds,
      page === '' ? null : { at: new Date(Number(ms)), id },
      PAGE + 1,
    );
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({
      items: await Promise.all(shown.map((row) => viewContentItem(module, row, now))),
      next: rows.length > PAGE && last ? `${last.changed_at.getTime()}.${last.id}` : null,
    });
  });
}
