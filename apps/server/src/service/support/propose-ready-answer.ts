import { proposeReadyAnswer } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { openReadyAnswerApproval } from './ready-answers.ts';
import type { SupportDependencies } from './support.ts';

export function proposeReadyAnswerHandler(module: SupportDependencies): Handler {
  return handle(proposeReadyAnswer, ({ operator, request: { code, step_up: _signed, ...texts }, now }) =>
    openReadyAnswerApproval(module, operator, code, texts, now),
  );
}
