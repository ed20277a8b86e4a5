import { readBrand } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';
import { viewOffers } from './offer-view.ts';

export function readBrandHandler(module: OfferModule): Handler {
  return handle(readBrand, async () =>
    accept({ items: await viewOffers(module, 'brand', undefined), next: null, ...module.brand }),
  );
}
