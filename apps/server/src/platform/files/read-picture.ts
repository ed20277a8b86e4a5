import { readPicture } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import type { Files } from './files.ts';

/** Returns a data URL, because an <img> cannot send the token header. */
export function readPictureHandler(files: Files): Handler {
  return handle(readPicture, async ({ customer, request }) => {
    const bytes = await files.readPicture(customer.id, request.id);
    if (bytes === null) return refuse('picture_unknown', { field: 'id' });
    return accept({ data_url: `data:image/webp;base64,${bytes.toString('base64')}` });
  });
}
