import type { Database } from '../../../platform/database/index.ts';
import { contactOf, type PhoneAreas } from '../names/contact.ts';
import type { Outbox } from './outbox.ts';
import { insertOutbox, listOutbox, type OutboxRow } from './outbox-store.ts';

const SHOWN_MAX = 100;

export interface DemoOutbox extends Outbox {
  /** Newest first. `to` is a phone or an email in any spelling; null shows everything. */
  read(to: string | null): Promise<readonly OutboxRow[]>;
}

/** The outbox of a demo stores SMS and emails in a table that everybody may read, and sends nothing. */
export function openDemoOutbox({ database, areas }: { database: Database; areas: PhoneAreas }): DemoOutbox {
  return {
    keep: (transaction, { to, text, code, isForSomebody }, now) =>
      insertOutbox(
        transaction,
        { contact: to.value, kind: to.kind === 'phone' ? 'sms' : 'email', text, code, at: now },
        isForSomebody,
      ),
    dispatch: () => undefined,
    drained: async () => undefined,
    read: async (to) => {
      if (to === null) return listOutbox(database, null, SHOWN_MAX);
      // A `+` in a query string is decoded as a space.
      const contact = contactOf(to.replace(/^ /, '+'), areas);
      return contact === null ? [] : listOutbox(database, contact.value, SHOWN_MAX);
    },
  };
}
