import { proposeAnswer } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Review } from './review.ts';

export function proposeAnswerHandler(review: Review): Handler {
  return handle(proposeAnswer, ({ operator, request: { id, version, finding, text }, now }) =>
    review.propose(operator, { id, version, finding, text }, now),
  );
}
