import { proposeBrand } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferRoom } from './open-offer.ts';
import { propose } from './propose.ts';

export function proposeBrandHandler(room: OfferRoom): Handler {
  return handle(proposeBrand, async ({ operator, now, request: { effective_from: effectiveFrom, ...rest } }) =>
    propose(room, operator, { ...rest, effectiveFrom }, now),
  );
}
