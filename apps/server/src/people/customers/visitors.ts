import { email } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { translate } from '@sathorn/text/server';
import { safeParse } from 'valibot';
import { customerNetworkOf } from '../../platform/ip-network.ts';
import type { CustomersModule, Visitors } from './customers.ts';
import { contactOf, receiverKeyOf } from './names/contact.ts';
import type { OutgoingMessage } from './outbox/outbox.ts';

/** A longer text would be sent as several SMS. */
export const SMS_TEXT_MAX = 400;

export function openVisitors({
  rateLimiter,
  limits,
  outbox,
  brand,
}: Pick<CustomersModule, 'rateLimiter' | 'limits' | 'outbox' | 'brand'>): Visitors {
  return {
    async take(typed, address, now) {
      const contact = contactOf(typed.trim(), brand.areas);
      if (!contact || (contact.kind === 'email' && !safeParse(email, contact.value).success))
        return refuse('contact_malformed', { field: 'contact' });
      const exceeded = await rateLimiter.take(
        [
          { subject: ['visitor.contact', receiverKeyOf(contact)], limit: limits.visitorsPerContact },
          { subject: ['visitor.line', customerNetworkOf(address)], limit: limits.visitorsPerAddress },
          { subject: ['visitor.all'], limit: limits.visitorsInAll },
        ],
        now,
      );
      if (!exceeded) return accept(contact);
      return refuse('visitor_delayed', { params: { wait: String(Math.ceil(exceeded.retryAfterMs / 1_000)) } });
    },
    async answer(transaction, { contact: to, reference, text, language }, now) {
      const delivery: OutgoingMessage = {
        to,
        subject: translate(language, 'codes.visitor_subject', { brand: brand.name, reference }),
        text: translate(language, 'codes.visitor_answer', { brand: brand.name, reference, text }),
        code: null,
        isForSomebody: true,
      };
      await outbox.keep(transaction, delivery, now);
      return () => outbox.dispatch(delivery);
    },
  };
}
