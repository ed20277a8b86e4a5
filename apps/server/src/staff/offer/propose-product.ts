import { proposeProduct } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';
import { propose } from './propose.ts';

export function proposeProductHandler(module: OfferModule): Handler {
  return handle(proposeProduct, async ({ operator, now, request: { effective_from: effectiveFrom, ...rest } }) =>
    propose(module, operator, { ...rest, effectiveFrom }, now),
  );
}
