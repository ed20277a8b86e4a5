import { email } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { safeParse } from 'valibot';
import type { Queries } from '../../platform/database/index.ts';
import { lineOf } from '../../platform/ip-network.ts';
import { type Contact, contactOf, receiverOf } from './names/contact.ts';
import type { Delivery } from './outbox/outbox.ts';
import type { Room } from './room.ts';

/** Longer texts would be several SMS. */
export const SMS_TEXT_MAX = 400;

export interface VisitorAnswer {
  readonly contact: Contact;
  readonly reference: string;
  readonly text: string;
  readonly language: Language;
}

/** People who write without an account. Their contact is what they typed; it is never looked up among customers. */
export interface Visitors {
  /** Counts one message of this contact and network, before anything is stored. */
  take(
    contact: string,
    address: string,
    now: Date,
  ): Promise<Decision<Contact, 'contact_malformed' | 'visitor_delayed'>>;
  /** Prepares the SMS or mail in the transaction of the answer. Call the result after the commit: it sends. */
  answer(transaction: Queries, answer: VisitorAnswer, now: Date): Promise<() => void>;
}

export function openVisitors({
  rateLimiter,
  limits,
  outbox,
  brand,
}: Pick<Room, 'rateLimiter' | 'limits' | 'outbox' | 'brand'>): Visitors {
  return {
    async take(typed, address, now) {
      const contact = contactOf(typed.trim(), brand.areas);
      if (!contact || (contact.kind === 'email' && !safeParse(email, contact.value).success))
        return refuse('contact_malformed', { field: 'contact' });
      const exceeded = await rateLimiter.take(
        [
          { subject: ['visitor.contact', receiverOf(contact)], limit: limits.visitorsPerContact },
          { subject: ['visitor.line', lineOf(address)], limit: limits.visitorsPerAddress },
          { subject: ['visitor.all'], limit: limits.visitorsInAll },
        ],
        now,
      );
      if (!exceeded) return accept(contact);
      return refuse('visitor_delayed', { params: { wait: String(Math.ceil(exceeded.retryAfterMs / 1_000)) } });
    },
    async answer(transaction, { contact: to, reference, text, language }, now) {
      const delivery: Delivery = {
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
