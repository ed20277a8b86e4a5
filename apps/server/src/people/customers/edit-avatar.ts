import { editAvatar } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { updateAvatar } from './customer-store.ts';
import type { CustomersModule } from './customers.ts';

export function editAvatarHandler({ database, files }: CustomersModule): Handler {
  return handle(editAvatar, async ({ request, customer, now }) => {
    const avatar = await files.resolveForAvatar(customer.id, request.userimg, now);
    if (avatar === null) return refuse('picture_unknown', { field: 'userimg' });
    await updateAvatar(database, customer.id, avatar);
    return accept({ avatar });
  });
}
