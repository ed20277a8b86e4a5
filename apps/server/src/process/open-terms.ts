import { openConsents } from '../people/consents/index.ts';
import { dateText, localDays } from '../platform/local-day.ts';
import { OFFER_APPROVAL, openOffer } from '../staff/offer/index.ts';
import { readMakers } from '../staff/operators/index.ts';
import { openPauses, PAUSE_END } from '../staff/pauses/index.ts';
import { termsNotice } from '../staff/terms-notice.ts';
import type { Opening } from './opening.ts';

/** What is offered and on which terms: the offer, pauses, consents. */
export async function openTerms(opening: Opening): Promise<void> {
  const { rooms, clockGuard, config, database, onFault, mode, brand, chain } = opening;
  const brandDays = localDays(brand.timeZone);
  rooms.offer = await openOffer({
    database,
    clock: clockGuard,
    approvals: rooms.operators.api.approvals,
    audit: rooms.operators.api.audit,
    findWaiting: rooms.operators.api.findWaitingApproval,
    viewApproval: rooms.operators.api.viewApproval,
    makersOf: readMakers,
    workNameOf: rooms.operators.api.workNameOf,
    everybody: (...of) => rooms.customers.api.idsAfter(...of),
    notify(customer, change, now, once) {
      const { template, params } = termsNotice(change);
      return rooms.messages.api.send(customer, template, params, now, once);
    },
    customerView(change, language) {
      const { template, params } = termsNotice(change);
      return rooms.messages.api.preview(template, params, language);
    },
    midnights: {
      isOne: (moment) => brandDays.momentOf(brandDays.dayOf(moment), 0).getTime() === moment.getTime(),
      after: (moment) => brandDays.momentOf(brandDays.dayOf(moment) + 1, 0),
    },
    accruals: async () =>
      (await rooms.earning.api.accruals()).map(({ product, day, state, positions, chunks, chunksPaid }) => ({
        product: String(product),
        day: dateText(day),
        state,
        positions: Number(positions),
        chunks,
        chunks_paid: chunksPaid,
      })),
    brand: {
      title: brand.title,
      mode,
      licences: {
        options: config.licenceOfOptions,
        contracts: config.licenceOfContracts,
        earning: config.licenceOfEarning,
      },
      asks_consent: config.asksConsent,
    },
    onFault,
  });
  rooms.operators.api.addApprovalKind(OFFER_APPROVAL, rooms.offer.approval);
  rooms.pauses = openPauses({
    database,
    approvals: rooms.operators.api.approvals,
    audit: rooms.operators.api.audit,
    findWaiting: rooms.operators.api.findWaitingApproval,
    workNameOf: rooms.operators.api.workNameOf,
    channels: [...(chain ? [chain.code] : []), 'bank', 'promptpay'],
  });
  rooms.operators.api.addApprovalKind(PAUSE_END, rooms.pauses.approval);
  rooms.consents = openConsents({ database, isAsked: config.asksConsent, timeZone: brand.timeZone });
}
