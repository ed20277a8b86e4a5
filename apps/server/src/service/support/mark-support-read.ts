import { markSupportRead } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Conversation } from './conversation.ts';

export function markSupportReadHandler(conversation: Conversation): Handler {
  return handle(markSupportRead, async ({ customer, request: { number } }) =>
    accept(await conversation.markRead(customer.id, number)),
  );
}
