import { previewOffer } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';

export function previewOfferHandler(module: OfferModule): Handler {
  return handle(previewOffer, async ({ operator, now, language, request }) => {
    const { effective_from: effectiveFrom, ...rest } = request;
    const prepared = await module.prepare(module.database, { ...rest, effectiveFrom }, now, operator);
    if (!prepared.ok) return prepared;
    const { change, checks } = prepared.effect;
    return accept({
      before: change.before,
      after: change.after,
      checks: checks.map((check) => ({ ...check })),
      customer_view: module.customerView(change, language),
    });
  });
}
