import { readPush } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PushRoom } from './open-push.ts';

export function readPushHandler(push: PushRoom): Handler {
  return handle(readPush, async ({ customer: { id, sessionId } }) =>
    accept(await push.read({ customer: id, session: sessionId })),
  );
}
