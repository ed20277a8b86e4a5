import { readConsent } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Consents } from './consents.ts';

export function readConsentHandler(consents: Consents): Handler {
  return handle(readConsent, async ({ customer, reader, now, request: { product } }) =>
    accept(await consents.state(customer.id, product, reader, now)),
  );
}
