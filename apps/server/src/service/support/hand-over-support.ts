import { handOverSupport } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function handOverSupportHandler(inbox: Inbox): Handler {
  return handle(handOverSupport, async ({ operator, request: { id, to, note }, now }) => {
    const done = await inbox.handOver(operator, id, to.trim().toLowerCase(), note, now);
    return done.ok ? accept({}) : done;
  });
}
