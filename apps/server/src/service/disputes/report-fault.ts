import { reportFault } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Review } from './review.ts';

export function reportFaultHandler(review: Review): Handler {
  return handle(reportFault, ({ operator, request: { id, version, text }, now }) =>
    review.report(operator, { id, version, text }, now),
  );
}
