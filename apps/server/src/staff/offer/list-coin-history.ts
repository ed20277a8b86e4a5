import { listCoinHistory } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';
import { viewHistory } from './offer-view.ts';

export function listCoinHistoryHandler(module: OfferModule): Handler {
  return handle(listCoinHistory, async ({ request: { kind, subject } }) => {
    if (!module.kinds.get(kind)?.subjects.includes(subject)) return refuse('product_unknown', { field: 'subject' });
    return accept(await viewHistory(module, kind, subject));
  });
}
