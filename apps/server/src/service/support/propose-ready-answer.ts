import { proposeReadyAnswer } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { proposeReady } from './ready-answers.ts';
import type { SupportRoom } from './room.ts';

export function proposeReadyAnswerHandler(room: SupportRoom): Handler {
  return handle(proposeReadyAnswer, ({ operator, request: { code, ...texts }, now }) =>
    proposeReady(room, operator, code, texts, now),
  );
}
