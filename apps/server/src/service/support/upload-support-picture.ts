import { uploadSupportPicture } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { ownerOfStaff } from '../../platform/files/index.ts';
import type { SupportDependencies } from './support.ts';

export function uploadSupportPictureHandler({ files }: SupportDependencies): Handler {
  return handle(uploadSupportPicture, async ({ operator, file, now }) => {
    if (file === null || file.bytes.length === 0) return refuse('picture_missing', { field: 'image' });
    const kept = await files.keepPicture(ownerOfStaff(operator.id), file.bytes, now);
    return kept.ok ? kept : refuse(kept.refusal, { field: 'image' });
  });
}
