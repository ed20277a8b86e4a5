import { listCoinsOffered } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';
import { viewOffers } from './offer-view.ts';

export function listCoinsOfferedHandler(module: OfferModule): Handler {
  return handle(listCoinsOffered, async ({ request: { kind } }) =>
    accept({ items: await viewOffers(module, 'coins', kind), next: null }),
  );
}
