import { typeSupport } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Conversation } from './conversation.ts';

export function typeSupportHandler(conversation: Conversation): Handler {
  return handle(typeSupport, async ({ customer, now }) => {
    await conversation.types(customer.id, now);
    return accept({});
  });
}
