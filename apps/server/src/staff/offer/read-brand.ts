import { readBrand } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewOffers } from './offer-view.ts';
import type { OfferRoom } from './open-offer.ts';

export function readBrandHandler(room: OfferRoom): Handler {
  return handle(readBrand, async () =>
    accept({ items: await viewOffers(room, 'brand', undefined), next: null, ...room.brand }),
  );
}
