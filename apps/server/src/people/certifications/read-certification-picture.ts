import { readCertificationPicture } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ReviewModule } from './view-case.ts';

/** The address alone shows nothing: the request must also carry the operator's token in a header. */
export function readCertificationPictureHandler({ reviews }: ReviewModule): Handler {
  return handle(readCertificationPicture, async ({ operator, request: { ticket }, now }) => {
    const picture = await reviews.look(operator, ticket, now);
    if (picture === null) return refuse('picture_unknown', { field: 'ticket' });
    return accept({ data_url: `data:image/webp;base64,${picture.toString('base64')}` });
  });
}
