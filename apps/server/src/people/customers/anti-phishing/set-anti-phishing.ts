import { OWN_SUBJECT, setAntiPhishing } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { checkFactor } from '../second-factor/check-factor.ts';
import { checkPaymentPassword } from '../second-factor/check-payment-password.ts';
import { viewAntiPhishing } from './read-anti-phishing.ts';

/** Requires the payment password: a thief who could set the word could send messages that look like ours. */
export function setAntiPhishingHandler(module: CustomersModule): Handler {
  const { antiPhishing, database } = module;
  return handle(setAntiPhishing, async ({ request: { word = null, paypass, otp }, customer: { id }, now }) => {
    const paid = await checkPaymentPassword(module, id, paypass, now);
    if (!paid.ok) return paid;
    const change = { kind: 'anti_phishing_word', subject: word ?? OWN_SUBJECT } as const;
    const proved = await checkFactor(module, id, change, otp, now);
    if (!proved.ok) return proved;
    const before = await antiPhishing.read(database, id);
    if ((before?.word ?? null) !== word) {
      await antiPhishing.set(database, id, word, now);
      await notifyCustomer(module, id, 'anti_phishing_changed', { at: now.toISOString() }, now);
    }
    return accept(await viewAntiPhishing(module, id));
  });
}
