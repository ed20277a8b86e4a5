import { markMessagesRead } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Messages } from './messages.ts';

const ID = /^[A-Za-z0-9_-]{16}$/;

/** Ids that are unknown or belong to other customers change nothing and get the same answer. */
export function markMessagesReadHandler(messages: Messages): Handler {
  return handle(markMessagesRead, async ({ customer, request, now }) => {
    const text = request.ids.trim();
    const ids =
      text === 'all'
        ? text
        : text
            .split(',')
            .map((id) => id.trim())
            .filter((id) => ID.test(id));
    return accept({ unread: await messages.markRead(customer.id, ids, now) });
  });
}
