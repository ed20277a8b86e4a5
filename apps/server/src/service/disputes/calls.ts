import { proposeAnswer, readDispute, reportFault } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Review } from './review.ts';

export const reviewCalls = (review: Review): Handler[] => [
  handle(proposeAnswer, ({ operator, request: { id, version, finding, text }, now }) =>
    review.propose(operator, { id, version, finding, text }, now),
  ),
  handle(readDispute, async ({ request: { id } }) => {
    const found = await review.read(id);
    return found ? accept(found) : refuse('dispute_unknown', { field: 'id' });
  }),
  handle(reportFault, ({ operator, request: { id, version, text }, now }) =>
    review.report(operator, { id, version, text }, now),
  ),
];
