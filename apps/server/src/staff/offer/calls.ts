import {
  listCoinHistory,
  listCoinsOffered,
  listProductHistory,
  listProducts,
  proposeBrand,
  proposeCoin,
  proposeProduct,
  readBrand,
  readBrandHistory,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OfferModule } from './offer.ts';
import { viewOfferHistory, viewOffers } from './offer-view.ts';
import { proposeOffer } from './propose-offer.ts';

export const offerCalls = (module: OfferModule): Handler[] => [
  handle(listCoinHistory, async ({ request: { kind, subject } }) => {
    if (!module.kinds.get(kind)?.subjects.includes(subject)) return refuse('product_unknown', { field: 'subject' });
    return accept(await viewOfferHistory(module, kind, subject));
  }),
  handle(listCoinsOffered, async ({ request: { kind } }) =>
    accept({ items: await viewOffers(module, 'coins', kind), next: null }),
  ),
  handle(listProductHistory, async ({ request: { kind, subject } }) => {
    if (!module.kinds.get(kind)?.subjects.includes(subject)) return refuse('product_unknown', { field: 'subject' });
    return accept(await viewOfferHistory(module, kind, subject));
  }),
  handle(listProducts, async ({ request: { kind } }) =>
    accept({ items: await viewOffers(module, 'products', kind), next: null, accruals: await module.accruals() }),
  ),
  handle(proposeBrand, async ({ operator, now, request: { effective_from: effectiveFrom, ...rest } }) =>
    proposeOffer(module, operator, { ...rest, effectiveFrom }, now),
  ),
  handle(proposeCoin, async ({ operator, now, request: { effective_from: effectiveFrom, ...rest } }) =>
    proposeOffer(module, operator, { ...rest, effectiveFrom }, now),
  ),
  handle(proposeProduct, async ({ operator, now, request: { effective_from: effectiveFrom, ...rest } }) =>
    proposeOffer(module, operator, { ...rest, effectiveFrom }, now),
  ),
  handle(readBrandHistory, async ({ request: { kind, subject } }) => {
    if (!module.kinds.get(kind)?.subjects.includes(subject)) return refuse('product_unknown', { field: 'subject' });
    return accept(await viewOfferHistory(module, kind, subject));
  }),
  handle(readBrand, async () =>
    accept({ items: await viewOffers(module, 'brand', undefined), next: null, ...module.brand }),
  ),
];
