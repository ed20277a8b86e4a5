import { readdirSync, readFileSync } from 'node:fs';
import { type ContentPicture, listContentPictures, pictureUrl } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listPictureRows } from './contents-store.ts';
import { PICTURES_FOLDER } from './pictures-folder.ts';
import type { PublishingModule } from './publishing.ts';

/** The pictures that we ship with every deployment. */
function shippedPictures(): ContentPicture[] {
  return readdirSync(PICTURES_FOLDER)
    .filter((name) => name.endsWith('.svg'))
    .sort()
    .map((name) => {
      const id = `@${name.slice(0, -'.svg'.length)}`;
      const [, width = '0', height = '0'] =
        /viewBox="0 0 ([0-9]+) ([0-9]+)"/.exec(readFileSync(`${PICTURES_FOLDER}/${name}`, 'utf8')) ?? [];
      return { id, url: pictureUrl(id), width: Number(width), height: Number(height), by: null, at: null };
    });
}

export function listContentPicturesHandler({ database, staffName }: PublishingModule): Handler {
  const shipped = shippedPictures();
  return handle(listContentPictures, async () => {
    const uploaded = await Promise.all(
      (await listPictureRows(database)).map(async ({ id, width, height, made_by, made_at }) => ({
        id,
        url: pictureUrl(id),
        width,
        height,
        by: { id: String(made_by), work_name: await staffName(made_by) },
        at: made_at.toISOString(),
      })),
    );
    return accept({ items: [...uploaded, ...shipped] });
  });
}
