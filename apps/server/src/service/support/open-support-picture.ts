import { openSupportPicture } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function openSupportPictureHandler(inbox: Inbox): Handler {
  return handle(openSupportPicture, async ({ operator, request: { id, number }, now }) => {
    const picture = await inbox.look(operator, id, number, now);
    if (!picture.ok) return picture;
    return accept({ data_url: `data:image/webp;base64,${picture.effect.toString('base64')}` });
  });
}
