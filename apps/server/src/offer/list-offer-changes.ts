import { listOfferChanges } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import type { OfferRoom } from './open-offer.ts';

export function listOfferChangesHandler({ api }: OfferRoom): Handler {
  return handle(listOfferChanges, async ({ request: { kind } }) =>
    accept(
      api.scheduled(kind).map(({ kind: name, subject, effectiveFrom, before, after }) => ({
        kind: name,
        subject,
        effective_from: effectiveFrom.toISOString(),
        before,
        after,
      })),
    ),
  );
}
