import { stopPush } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PushModule } from './push.ts';

export function stopPushHandler(push: PushModule): Handler {
  return handle(stopPush, async ({ customer: { id, sessionId } }) => {
    await push.stop({ customer: id, session: sessionId });
    return accept({});
  });
}
