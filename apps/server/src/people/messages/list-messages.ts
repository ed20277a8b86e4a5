import { listMessages } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Messages } from './messages.ts';

export function listMessagesHandler(messages: Messages): Handler {
  return handle(listMessages, async ({ customer, request, reader }) =>
    accept(await messages.list(customer.id, request.status, request.page, reader)),
  );
}
