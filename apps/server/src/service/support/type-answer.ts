import { typeAnswer } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function typeAnswerHandler(inbox: Inbox): Handler {
  return handle(typeAnswer, async ({ operator, request: { id }, now }) => {
    const done = await inbox.types(operator, id, now);
    return done.ok ? accept({}) : done;
  });
}
