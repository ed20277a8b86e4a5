import { listCoinsOffered } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewOffers } from './offer-view.ts';
import type { OfferRoom } from './open-offer.ts';

export function listCoinsOfferedHandler(room: OfferRoom): Handler {
  return handle(listCoinsOffered, async ({ request: { kind } }) =>
    accept({ items: await viewOffers(room, 'coins', kind), next: null }),
  );
}
