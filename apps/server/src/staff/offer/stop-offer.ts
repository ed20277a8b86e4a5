import { stopOffer } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';
import { OFFER_APPROVAL } from './offer-kind.ts';
import { stopOfferVersion } from './offer-store.ts';

export function stopOfferHandler({ database, audit, kinds, api }: OfferModule): Handler {
  return handle(stopOffer, async ({ operator, request: { reason, ...which } }) => {
    if (!kinds.get(which.kind)?.subjects.includes(which.subject))
      return refuse('product_unknown', { field: 'subject' });
    const decision = await database.transaction(async (transaction) => {
      if (!(await stopOfferVersion(transaction, which, operator.id, reason)))
        return refuse('already_in_force', { field: 'version' });
      await audit.append(transaction, {
        operator,
        what: 'offer.stopped',
        on: { kind: OFFER_APPROVAL, id: `${which.kind}/${which.subject}` },
        after: { version: String(which.version) },
        note: reason,
      });
      return accept({});
    });
    await api.refresh();
    return decision;
  });
}
