import { listProducts } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';
import { viewOffers } from './offer-view.ts';

export function listProductsHandler(module: OfferModule): Handler {
  return handle(listProducts, async ({ request: { kind } }) =>
    accept({ items: await viewOffers(module, 'products', kind), next: null, accruals: await module.accruals() }),
  );
}
