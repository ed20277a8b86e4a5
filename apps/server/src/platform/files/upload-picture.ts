import { uploadPicture } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import type { Files } from './files.ts';

export function uploadPictureHandler(files: Files): Handler {
  return handle(uploadPicture, async ({ customer, file, now }) => {
    if (file === null || file.bytes.length === 0) return refuse('picture_missing', { field: 'image' });
    const kept = await files.keepPicture(customer.id, file.bytes, now);
    if (!kept.ok) return refuse(kept.refusal, { field: 'image' });
    const { id } = kept.effect;
    return accept({ id, url: `/api/users/picture?id=${id}` });
  });
}
