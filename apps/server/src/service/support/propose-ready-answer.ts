import { proposeReadyAnswer } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { proposeReady } from './ready-answers.ts';
import type { SupportDependencies } from './support.ts';

export function proposeReadyAnswerHandler(module: SupportDependencies): Handler {
  return handle(proposeReadyAnswer, ({ operator, request: { code, ...texts }, now }) =>
    proposeReady(module, operator, code, texts, now),
  );
}
