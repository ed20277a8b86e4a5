import { listUnreadMessages } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Messages } from './messages.ts';

/** Returns the newest page of unread notices. The app shows the first and asks again once it was read. */
export function listUnreadMessagesHandler(messages: Messages): Handler {
  return handle(listUnreadMessages, async ({ customer, reader }) => {
    const { items, unread } = await messages.list(customer.id, 'unread', undefined, reader);
    return accept({ items, unread });
  });
}
