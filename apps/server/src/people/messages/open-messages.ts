import type { Message } from '@sathorn/api';
import type { Language, Reader } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries, Transaction } from '../../platform/database/index.ts';
import { customerTopic } from '../../platform/edge/topic-source.ts';
import { type Module, sweepJob } from '../../platform/module.ts';
import { listMessagesHandler } from './list-messages.ts';
import { listUnreadMessagesHandler } from './list-unread-messages.ts';
import { markMessagesReadHandler } from './mark-messages-read.ts';
import {
  type BroadcastTexts,
  countReaderRows,
  countUnread,
  findSequence,
  insertBroadcast,
  listRows,
  type MessageRow,
  markAllRows,
  markRows,
  type NewMessage,
  type Page,
  type Reading,
  sweepRead,
  takeUnpushed,
  withdrawRows,
} from './message-store.ts';
import { openNotices } from './send-notices.ts';
import { SECURITY_TEMPLATES, type Template, type Templates } from './templates.ts';
import { type Wording, wordMessage } from './word-message.ts';

const PAGE_SIZE = 20;
/** The specification's page numbers; pages further back need a cursor. */
const PAGE_NUMBER = /^[1-9][0-9]{0,3}$/;
const READ_MEMORY_MS = 180 * 24 * 60 * 60 * 1_000;
/** Limit per sweep; the next sweep removes the rest. */
const SWEPT_MAX = 10_000;

export interface Messages {
  /**
   * Stores a notice for this customer and notifies their open apps. `now` is its time. With `of`, the same notice is
   * stored at most once. Notices that are sent at the same time, as for many orders that become void together, share a
   * statement.
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
  /** Its title alone, which names no amount of a customer's money. */
  title(template: string, params: Readonly<Record<string, string>>, language: Language): string | null;
  /** Hands over notices that are to be pushed, each once: the caller stores them in this transaction. */
  takeUnpushed(transaction: Transaction, limit: number): Promise<readonly NewMessage[]>;
  /** Newest first. `page` is the previous page's `next`, or a number from 1. */
  list(owner: bigint, status: 'all' | 'unread', page: string | undefined, reader: Reader): Promise<MessagePage>;
  /** What was sent to a customer, for staff: the kind of each notice, and when it was read. */
  history(
    owner: bigint,
    page: string | undefined,
    reader: Reader,
  ): Promise<{ readonly items: readonly SentMessage[]; readonly next: string | null }>;
  /**
   * Marks those of these ids that are this customer's; `'all'` means every notice. Resolves to the number still unread.
   */
  markRead(owner: bigint, ids: readonly string[] | 'all', now: Date): Promise<number>;
  /** Sends one notice, written by an operator, to many customers or to one. Sending the same id again has no effect. */
  broadcast(transaction: Queries, broadcast: Broadcast): Promise<void>;
  /** Removes the notices from all lists. */
  withdrawBroadcasts(transaction: Queries, ids: readonly string[], now: Date): Promise<void>;
  /** How many customers marked one of these as read. */
  countReaders(ids: readonly string[]): Promise<number>;
  /** Removes read notices that are half a year old. */
  sweep(now: Date): Promise<void>;
  /** The live topic's snapshot. */
  snapshot(owner: bigint, reader: Reader): Promise<{ unread: number; latest: Message | null }>;
}

export interface Broadcast {
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

export interface SentMessage extends Omit<Message, 'status'> {
  readonly kind: string;
  readonly read_at: string | null;
  /** Whether its sentence names an amount of money. */
  readonly hasAmount: boolean;
}

export interface MessagePage {
  readonly items: Message[];
  readonly next: string | null;
  readonly unread: number;
}

export interface MessagesDependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly wording: Wording;
  /** The customer's anti-phishing word. */
  readonly wordOf?: (customer: bigint) => Promise<string | null>;
  /** What decides which broadcasts this customer sees. */
  readonly audienceOf: (customer: bigint) => Promise<{ readonly level: number; readonly joinedAt: Date }>;
  readonly onFault: (error: unknown) => void;
}

export function openMessages({
  database,
  bus,
  clock,
  wording,
  wordOf = async () => null,
  audienceOf,
  onFault,
}: MessagesDependencies): Module<Messages> {
  const word = (rows: readonly MessageRow[], reader: Reader): Message[] =>
    rows.map((row) => wordMessage(row, reader, wording)).filter((message) => message !== null);

  /** As the owner reads them: security notices carry the anti-phishing word. */
  const wordFor = async (owner: bigint, rows: readonly MessageRow[], reader: Reader): Promise<Message[]> => {
    const guarded = new Set(rows.flatMap(({ id, template }) => (SECURITY_TEMPLATES.has(template ?? '') ? [id] : [])));
    const known = guarded.size > 0 ? await wordOf(owner) : null;
    return word(rows, reader).map((message) =>
      known !== null && guarded.has(message.id)
        ? { ...message, content: `${message.content} ${translate(reader.language, 'codes.word', { word: known })}` }
        : message,
    );
  };

  const readingOf = async (owner: bigint, now = clock.now()): Promise<Reading> => ({
    owner,
    now,
    ...(await audienceOf(owner)),
  });

  const pushUnread = async (reading: Reading): Promise<number> => {
    const { owner } = reading;
    const unread = await countUnread(database, reading);
    bus.emit('messages', { owner, data: { unread } });
    return unread;
  };

  const placeOf = async (reading: Reading, page: string | undefined): Promise<Page | null> => {
    const limit = PAGE_SIZE;
    if (page === undefined || page === '' || page === '0') return { before: null, skip: 0, limit };
    if (PAGE_NUMBER.test(page)) return { before: null, skip: (Number(page) - 1) * PAGE_SIZE, limit };
    const before = await findSequence(database, reading, page);
    return before === null ? null : { before, skip: 0, limit };
  };

  const api: Messages = {
    preview: (template, params, language) =>
      wordMessage(
        { sequence: 0n, id: '', template, params: { ...params }, texts: null, at: new Date(0), read_at: null },
        { language },
        wording,
      )?.content ?? '',

    title: (template, params, language) =>
      wordMessage(
        { sequence: 0n, id: '', template, params, texts: null, at: new Date(0), read_at: null },
        { language },
        wording,
      )?.title ?? null,
    takeUnpushed,
    send: openNotices({ database, bus }).send,

    async list(owner, status, page, reader) {
      const reading = await readingOf(owner);
      const [place, unread] = await Promise.all([placeOf(reading, page), countUnread(database, reading)]);
      // An unknown cursor, or another customer's, gives an empty page.
      if (place === null) return { items: [], next: null, unread };
      const rows = await listRows(database, reading, status === 'unread', { ...place, limit: place.limit + 1 });
      const shown = rows.slice(0, place.limit);
      const next = rows.length > place.limit ? (shown.at(-1)?.id ?? null) : null;
      return { items: await wordFor(owner, shown, reader), next, unread };
    },
    async history(owner, page, reader) {
      const reading = await readingOf(owner);
      const place = await placeOf(reading, page);
      if (place === null) return { items: [], next: null };
      const rows = await listRows(database, reading, false, { ...place, limit: place.limit + 1 });
      const shown = rows.slice(0, place.limit);
      return {
        items: shown.flatMap((row) =>
          word([row], reader).map(({ status: _status, ...message }) => ({
            ...message,
            // What was written to many is in their own words.
            kind: row.template ?? 'broadcast',
            read_at: row.read_at?.toISOString() ?? null,
            hasAmount: 'amount' in row.params,
          })),
        ),
        next: rows.length > place.limit ? (shown.at(-1)?.id ?? null) : null,
      };
    },
    async markRead(owner, ids, now) {
      const reading = await readingOf(owner, now);
      if (ids === 'all') await markAllRows(database, reading);
      else if (ids.length > 0) await markRows(database, reading, ids);
      return pushUnread(reading);
    },
    broadcast: (transaction, { id, audience, texts, at, endsAt }) =>
      insertBroadcast(transaction, {
        id,
        texts,
        level: audience.to === 'level' ? audience.level : null,
        customer: audience.to === 'customer' ? audience.customer : null,
        at,
        endsAt,
      }),
    withdrawBroadcasts: withdrawRows,
    countReaders: (ids) => countReaderRows(database, ids),
    sweep: (now) => sweepRead(database, new Date(now.getTime() - READ_MEMORY_MS), SWEPT_MAX),
    async snapshot(owner, reader) {
      const reading = await readingOf(owner);
      const [rows, unread] = await Promise.all([
        listRows(database, reading, true, { before: null, skip: 0, limit: 1 }),
        countUnread(database, reading),
      ]);
      return { unread, latest: (await wordFor(owner, rows, reader))[0] ?? null };
    },
  };
  return {
    api,
    handlers: [listMessagesHandler(api), listUnreadMessagesHandler(api), markMessagesReadHandler(api)],
    topics: [customerTopic('messages', api.snapshot)],
    jobs: [sweepJob(clock, onFault, api.sweep)],
  };
}
