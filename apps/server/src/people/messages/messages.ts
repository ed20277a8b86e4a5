import type { Message } from '@sathorn/api';
import type { Language, Reader } from '@sathorn/text';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries, Transaction } from '../../platform/database/index.ts';
import type { BroadcastTexts, NewMessage } from './message-store.ts';
import type { Template, Templates } from './templates.ts';

export interface Messages {
  /**
   * Stores a notice for this customer and notifies their open apps. `now` is its time. With `of`, the same notice is
   * stored at most once. Notices that are sent at the same time, such as for many void orders, share one statement.
   */
  send<Name extends Template>(
    owner: bigint,
    template: Name,
    params: Templates[Name],
    now: Date,
    of?: string,
  ): Promise<void>;
  /** The sentence that a customer would read, in the brand's time zone. Sends nothing. */
  preview<Name extends Template>(template: Name, params: Templates[Name], language: Language): string;
  /** The notice's title alone, which never contains an amount of a customer's money. */
  title(template: string, params: Readonly<Record<string, string>>, language: Language): string | null;
  /** Returns notices that are to be pushed, each once. The caller must store them in this transaction. */
  takeUnpushed(transaction: Transaction, limit: number): Promise<readonly NewMessage[]>;
  /** Newest first. `page` is the previous page's `next`, or a number from 1. */
  list(owner: bigint, status: 'all' | 'unread', page: string | undefined, reader: Reader): Promise<MessagePage>;
  /** The notices sent to a customer, for staff: the kind of each, and when it was read. */
  history(
    owner: bigint,
    page: string | undefined,
    reader: Reader,
  ): Promise<{ readonly items: readonly SentMessage[]; readonly next: string | null }>;
  /** Marks those of these ids that are this customer's; `'all'` means every notice. Resolves to the unread number. */
  markRead(owner: bigint, ids: readonly string[] | 'all', now: Date): Promise<number>;
  /** Sends one notice, written by an operator, to many customers or to one. Sending the same id again has no effect. */
  broadcast(transaction: Queries, broadcast: Broadcast): Promise<void>;
  /** Removes the notices from all lists. */
  withdrawBroadcasts(transaction: Queries, ids: readonly string[], now: Date): Promise<void>;
  /** How many customers marked one of these notices as read. */
  countReaders(ids: readonly string[]): Promise<number>;
  /** Removes read notices that are half a year old. */
  sweep(now: Date): Promise<void>;
  /** The live topic's snapshot. */
  snapshot(owner: bigint, reader: Reader): Promise<{ unread: number; latest: Message | null }>;
}

interface Broadcast {
  readonly id: string;
  readonly audience:
    | { readonly to: 'all' }
    | { readonly to: 'level'; readonly level: number }
    | { readonly to: 'customer'; readonly customer: bigint };
  readonly texts: BroadcastTexts;
  readonly at: Date;
  /** After this time it no longer counts as unread. */
  readonly endsAt: Date;
}

interface SentMessage extends Omit<Message, 'status'> {
  readonly kind: string;
  readonly read_at: string | null;
  /** True if the sentence contains an amount of money. */
  readonly hasAmount: boolean;
}

interface MessagePage {
  readonly items: Message[];
  readonly next: string | null;
  readonly unread: number;
}

export interface MessageWording {
  readonly brandTitle: string;
  /** The brand's time zone, for readers whose own is unknown. */
  readonly timeZone: string;
}

export interface MessagesDependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly wording: MessageWording;
  /** Sends notices before customers can read them; by default this module does it itself. */
  readonly notices?: Pick<Messages, 'send'>;
  /** The customer's anti-phishing word. */
  readonly wordOf?: (customer: bigint) => Promise<string | null>;
  /** The level and join date, which decide which broadcasts this customer sees. */
  readonly audienceOf: (customer: bigint) => Promise<{ readonly level: number; readonly joinedAt: Date }>;
  readonly onFault: (error: unknown) => void;
}
