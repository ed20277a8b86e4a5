import { takeSupportThread } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Inbox } from './inbox.ts';

export function takeSupportThreadHandler(inbox: Inbox): Handler {
  return handle(takeSupportThread, ({ operator, request: { id, over }, now }) =>
    inbox.take(operator, id, over === 'true', now),
  );
}
