import { listOfferChanges } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';

export function listOfferChangesHandler({ api, customerView }: OfferModule): Handler {
  return handle(listOfferChanges, async ({ language, request: { kind } }) =>
    accept(
      api.scheduled(kind).map((change) => ({
        kind: change.kind,
        subject: change.subject,
        effective_from: change.effectiveFrom.toISOString(),
        before: change.before,
        after: change.after,
        note: customerView(change, language),
      })),
    ),
  );
}
