import { noteSupport } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function noteSupportHandler(inbox: Inbox): Handler {
  return handle(noteSupport, ({ operator, request: { id, note }, now }) => inbox.note(operator, id, note, now));
}
