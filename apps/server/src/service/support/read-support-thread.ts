import { readSupportThread } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function readSupportThreadHandler(inbox: Inbox): Handler {
  return handle(readSupportThread, async ({ operator, request: { id, page = null }, now }) => {
    const seen = await inbox.read(operator, id, page, now);
    return seen ? accept(seen) : refuse('thread_unknown', { field: 'id' });
  });
}
