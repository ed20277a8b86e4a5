import { readPush, stopPush, subscribePush, switchPush } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PushModule } from './push.ts';

export const pushCalls = (push: PushModule): Handler[] => [
  handle(readPush, async ({ customer: { id, sessionId } }) =>
    accept(await push.read({ customer: id, session: sessionId })),
  ),
  handle(stopPush, async ({ customer: { id, sessionId } }) => {
    await push.stop({ customer: id, session: sessionId });
    return accept({});
  }),
  handle(subscribePush, async ({ customer: { id, sessionId }, request, language, now }) =>
    push.subscribe({ customer: id, session: sessionId }, request, language, now),
  ),
  handle(switchPush, async ({ customer: { id, sessionId }, request: { prices, money, answers } }) =>
    push.switch(
      { customer: id, session: sessionId },
      { prices: prices === '1', money: money === '1', answers: answers === '1' },
    ),
  ),
];
