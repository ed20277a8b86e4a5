import { readDispute } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Review } from './review.ts';

export function readDisputeHandler(review: Review): Handler {
  return handle(readDispute, async ({ request: { id } }) => {
    const found = await review.read(id);
    return found ? accept(found) : refuse('dispute_unknown', { field: 'id' });
  });
}
