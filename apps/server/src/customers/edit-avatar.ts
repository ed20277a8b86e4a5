import { editAvatar } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { updateAvatar } from './customer-store.ts';
import type { Room } from './room.ts';

/** The files room's door, as far as this room needs it. */
export interface AvatarFiles {
  /** What to keep as the avatar; null when the picture is not this customer's, or is none. */
  resolveForAvatar(owner: bigint, pictureId: string, now: Date): Promise<string | null>;
}

export function editAvatarHandler({ database }: Room, files: AvatarFiles): Handler {
  return handle(editAvatar, async ({ request, customer, now }) => {
    const avatar = await files.resolveForAvatar(customer.id, request.userimg, now);
    if (avatar === null) return refuse('picture_unknown', { field: 'userimg' });
    await updateAvatar(database, customer.id, avatar);
    return accept({ avatar });
  });
}
