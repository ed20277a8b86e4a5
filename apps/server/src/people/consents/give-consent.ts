import { giveConsent } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Consents } from './consents.ts';

export function giveConsentHandler(consents: Consents): Handler {
  return handle(giveConsent, async ({ customer, reader, now, request }) => {
    const { product, version, knowledge, experience, need, share } = request;
    return consents.give(
      customer.id,
      { product, version, answers: { knowledge, experience, need, share } },
      reader,
      now,
    );
  });
}
