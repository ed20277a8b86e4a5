import { proposeMoneyAnswer } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { MoneyReview } from './money-review.ts';

export function proposeMoneyAnswerHandler(review: MoneyReview): Handler {
  return handle(proposeMoneyAnswer, ({ operator, request: { id, version, text, correction }, now }) =>
    review.propose(operator, { id, version, text, correction: correction ?? null }, now),
  );
}
