import { closeSupport } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function closeSupportHandler(inbox: Inbox): Handler {
  return handle(closeSupport, async ({ operator, request: { id }, now }) => {
    const done = await inbox.close(operator, id, now);
    return done.ok ? accept({}) : done;
  });
}
