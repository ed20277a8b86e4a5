import { randomBytes } from 'node:crypto';
import { pictureUrl, uploadContentPicture } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { countContentPictures, insertPictureRow } from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';

/** Pictures of texts are kept for ever, so this bounds the storage that one operator account can fill. */
const PICTURES_MAX = 2_000;

export function uploadContentPictureHandler({ database, files, audit }: PublishingModule): Handler {
  return handle(uploadContentPicture, async ({ operator, file }) => {
    if (file === null || file.bytes.length === 0) return refuse('picture_missing', { field: 'image' });
    if ((await countContentPictures(database)) >= PICTURES_MAX) return refuse('picture_quota_used', { field: 'image' });
    const drawn = await files.redraw(file.bytes);
    if (!drawn.ok) return refuse(drawn.refusal, { field: 'image' });
    const { bytes, width, height } = drawn.effect;
    const id = randomBytes(16).toString('base64url');
    const at = await database.transaction(async (transaction) => {
      const made = await insertPictureRow(transaction, {
        id,
        bytes: Buffer.from(bytes),
        width,
        height,
        by: operator.id,
      });
      await audit.append(transaction, {
        operator,
        what: 'content.picture_added',
        on: { kind: 'picture', id },
        after: { width: String(width), height: String(height) },
      });
      return made;
    });
    const by = { id: String(operator.id), work_name: operator.workName };
    return accept({ id, url: pictureUrl(id), width, height, by, at: at.toISOString() });
  });
}
