import { subscribePush } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PushModule } from './push.ts';

export function subscribePushHandler(push: PushModule): Handler {
  return handle(subscribePush, async ({ customer: { id, sessionId }, request, language, now }) =>
    push.subscribe({ customer: id, session: sessionId }, request, language, now),
  );
}
