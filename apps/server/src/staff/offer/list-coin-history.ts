import { listCoinHistory } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewHistory } from './offer-view.ts';
import type { OfferRoom } from './open-offer.ts';

export function listCoinHistoryHandler(room: OfferRoom): Handler {
  return handle(listCoinHistory, async ({ request: { kind, subject } }) => {
    if (!room.kinds.get(kind)?.subjects.includes(subject)) return refuse('product_unknown', { field: 'subject' });
    return accept(await viewHistory(room, kind, subject));
  });
}
