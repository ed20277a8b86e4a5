import type { Queries } from '../../../platform/database/index.ts';
import type { Contact } from '../names/contact.ts';

/** One SMS or mail. */
export interface OutgoingMessage {
  readonly to: Contact;
  /** The email's subject. */
  readonly subject: string;
  readonly text: string;
  /** The verification code in the text, if there is one. */
  readonly code: string | null;
  /** False for a code that is prepared but never sent, because no customer has the contact. */
  readonly isForSomebody: boolean;
}

/** The interface through which SMS and mails leave the platform. */
export interface Outbox {
  /**
   * Runs in the transaction that created the delivery. A live outbox stores nothing, so no code is ever stored in clear
   * text.
   */
  keep(transaction: Queries, delivery: OutgoingMessage, now: Date): Promise<void>;
  /** Call it after the commit. It does not wait for the delivery. */
  dispatch(delivery: OutgoingMessage): void;
  /** Resolves when nothing is being sent, for a clean stop. */
  drained(): Promise<void>;
}
