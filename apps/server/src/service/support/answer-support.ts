import { answerSupport } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function answerSupportHandler(inbox: Inbox): Handler {
  return handle(answerSupport, ({ operator, request: { id, text = '', image = null, ready }, intent, now }) => {
    if (ready === undefined) return inbox.answer(operator, id, intent.id, { text, image }, now);
    if (image !== null) return Promise.resolve(refuse('picture_unknown', { field: 'image' }));
    return inbox.answer(operator, id, intent.id, { ready }, now);
  });
}
