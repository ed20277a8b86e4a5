import { answerSupport } from '@sathorn/api';
import { type Handler, handle } from '../edge/index.ts';
import type { Inbox } from './inbox.ts';

export function answerSupportHandler(inbox: Inbox): Handler {
  return handle(answerSupport, ({ operator, request: { id, text = '', ready }, intent, now }) =>
    inbox.answer(operator, id, intent.id, ready === undefined ? { text } : { ready }, now),
  );
}
