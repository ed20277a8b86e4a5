import { markThreadRead } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function markThreadReadHandler(inbox: Inbox): Handler {
  return handle(markThreadRead, async ({ operator, request: { id, number } }) => {
    const done = await inbox.markRead(operator, id, number);
    return done.ok ? accept({}) : done;
  });
}
