import { listProducts } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewOffers } from './offer-view.ts';
import type { OfferRoom } from './open-offer.ts';

export function listProductsHandler(room: OfferRoom): Handler {
  return handle(listProducts, async ({ request: { kind } }) =>
    accept({ items: await viewOffers(room, 'products', kind), next: null, accruals: await room.accruals() }),
  );
}
