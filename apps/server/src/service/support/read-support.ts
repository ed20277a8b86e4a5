import { readSupport } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Conversation } from './conversation.ts';

export function readSupportHandler(conversation: Conversation): Handler {
  return handle(readSupport, async ({ customer, request: { page = null, after = null } }) =>
    // Page 0 is the start of the list, as in every list.
    accept(await conversation.read(customer.id, { before: page === 0 ? null : page, after })),
  );
}
