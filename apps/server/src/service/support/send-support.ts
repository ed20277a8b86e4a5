import { sendSupport } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Conversation } from './conversation.ts';

export function sendSupportHandler(conversation: Conversation): Handler {
  return handle(sendSupport, ({ customer, request: { id, text = '', image = null }, language, now }) =>
    conversation.write(customer.id, { id, text, image, language }, now),
  );
}
