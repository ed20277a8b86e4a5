import { readMoneyDispute } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { MoneyReview } from './money-review.ts';

export function readMoneyDisputeHandler(review: MoneyReview): Handler {
  return handle(readMoneyDispute, async ({ request: { id } }) => {
    const found = await review.read(id);
    return found ? accept(found) : refuse('dispute_unknown', { field: 'id' });
  });
}
