import { formatDate, type Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { Template, Templates } from '../messages/index.ts';
import { withAntiPhishingWord } from './anti-phishing/anti-phishing.ts';
import type { CustomersModule } from './customers.ts';
import type { Contact } from './names/contact.ts';

/** Sends a message in the app. The event has already happened, so an error here is reported and does not undo it. */
export async function notifyCustomer<Name extends Template>(
  module: Pick<CustomersModule, 'messages' | 'onFault'>,
  customer: bigint,
  template: Name,
  params: Templates[Name],
  now: Date,
): Promise<void> {
  try {
    await module.messages.send(customer, template, params, now);
  } catch (error) {
    module.onFault(error);
  }
}

export type SecurityNotice =
  | 'password_changed'
  | 'paypass_changed'
  | 'contact_changed'
  | 'passkey_added'
  | 'api_key_added'
  | 'account_frozen'
  | 'factor_reset_asked'
  | 'factor_reset_soon'
  | 'factor_reset_stopped'
  | 'factor_reset_done';

/** Also sends the notice by SMS and email, where an attacker with a stolen session cannot hide it. */
export async function notifyContacts(
  module: Pick<CustomersModule, 'database' | 'outbox' | 'onFault' | 'brand' | 'antiPhishing'>,
  customer: bigint,
  contacts: readonly Contact[],
  notice: SecurityNotice,
  language: Language,
  now: Date,
  /** The time in the notice's text, if it contains one. */
  until: Date = now,
): Promise<void> {
  const brand = module.brand.name;
  const time = formatDate(until.toISOString(), 'dateTime', { language }, module.brand.timeZone);
  // If the word cannot be read, the notice is still sent.
  const known = await module.antiPhishing.read(module.database, customer).catch((error: unknown) => {
    module.onFault(error);
    return null;
  });
  for (const to of contacts) {
    const delivery = {
      to,
      subject: translate(language, 'codes.notice_subject', { brand }),
      text: withAntiPhishingWord(
        translate(language, `codes.${notice}`, { brand, time }),
        known?.word ?? null,
        language,
      ),
      code: null,
      isForSomebody: true,
    };
    try {
      await module.outbox.keep(module.database, delivery, now);
      module.outbox.dispatch(delivery);
    } catch (error) {
      module.onFault(error);
    }
  }
}
