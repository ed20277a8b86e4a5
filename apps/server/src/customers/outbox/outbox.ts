import type { Queries } from '../../database/index.ts';
import type { Contact } from '../names/contact.ts';

/** One SMS or mail. */
export interface Delivery {
  readonly to: Contact;
  /** Subject of the mail. */
  readonly subject: string;
  readonly text: string;
  /** The verification code within the text, when there is one. */
  readonly code: string | null;
  /** False for a code that is prepared but never sent, since no customer has the contact. */
  readonly isForSomebody: boolean;
}

/** The interface through which SMS and mails leave the platform. */
export interface Outbox {
  /** Within the transaction that made it. A live outbox keeps nothing: a code is nowhere stored in clear. */
  keep(transaction: Queries, delivery: Delivery, now: Date): Promise<void>;
  /** After the commit; doesn't wait for the world outside. */
  dispatch(delivery: Delivery): void;
  /** Resolves when nothing is under way: for a clean stop. */
  drained(): Promise<void>;
}
