import { switchPush } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PushModule } from './push.ts';

export function switchPushHandler(push: PushModule): Handler {
  return handle(switchPush, async ({ customer: { id, sessionId }, request: { prices, money, answers } }) =>
    push.switch(
      { customer: id, session: sessionId },
      { prices: prices === '1', money: money === '1', answers: answers === '1' },
    ),
  );
}
