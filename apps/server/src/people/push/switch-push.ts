import { switchPush } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PushRoom } from './open-push.ts';

export function switchPushHandler(push: PushRoom): Handler {
  return handle(switchPush, async ({ customer: { id, sessionId }, request: { prices, money, answers } }) =>
    push.switch(
      { customer: id, session: sessionId },
      { prices: prices === '1', money: money === '1', answers: answers === '1' },
    ),
  );
}
