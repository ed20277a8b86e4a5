import { readPush } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PushModule } from './push.ts';

export function readPushHandler(push: PushModule): Handler {
  return handle(readPush, async ({ customer: { id, sessionId } }) =>
    accept(await push.read({ customer: id, session: sessionId })),
  );
}
