import { openCertificationPicture } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ReviewModule } from './view-case.ts';

export function openCertificationPictureHandler({ reviews }: ReviewModule): Handler {
  return handle(openCertificationPicture, async ({ operator, request: { id, picture }, now }) => {
    const opened = await reviews.open(operator, id, picture, now);
    if (!opened.ok) return opened;
    const { ticket, expiresAt, left } = opened.effect;
    const url = `/api/admin/certifications/picture?ticket=${ticket}`;
    return accept({ url, expires_at: expiresAt.toISOString(), left });
  });
}
