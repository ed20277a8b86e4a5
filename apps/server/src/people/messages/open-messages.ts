import type { Message } from '@sathorn/api';
import type { Reader } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { customerTopic } from '../../platform/edge/topic-source.ts';
import { type Module, sweepJob } from '../../platform/module.ts';
import { listMessagesHandler } from './list-messages.ts';
import { listUnreadMessagesHandler } from './list-unread-messages.ts';
import { markMessagesReadHandler } from './mark-messages-read.ts';
import {
  countBroadcastReaders,
  countUnread,
  findMessageSequence,
  insertBroadcast,
  listMessageRows,
  type MessageRow,
  markAllMessageRowsRead,
  markMessageRowsRead,
  type NoticePageBounds,
  type NoticeReader,
  sweepReadMessages,
  takeUnpushedMessages,
  withdrawBroadcastRows,
} from './message-store.ts';
import type { Messages, MessagesDependencies } from './messages.ts';
import { openNotices } from './send-notices.ts';
import { SECURITY_TEMPLATES } from './templates.ts';
import { openMessagePreview, wordMessage } from './word-message.ts';

const PAGE_SIZE = 20;
/** The specification's page numbers; pages further back need a cursor. */
const PAGE_NUMBER = /^[1-9][0-9]{0,3}$/;
const READ_MEMORY_MS = 180 * 24 * 60 * 60 * 1_000;
/** Limit per sweep; the next sweep removes the rest. */
const SWEPT_MAX = 10_000;

export function openMessages({
  database,
  bus,
  clock,
  wording,
  notices = openNotices({ database, bus }),
  wordOf = async () => null,
  audienceOf,
  onFault,
}: MessagesDependencies): Module<Messages> {
  const word = (rows: readonly MessageRow[], reader: Reader): Message[] =>
    rows.map((row) => wordMessage(row, reader, wording)).filter((message) => message !== null);

  /** The anti-phishing word, if one of these notices is a security notice, which contains it. */
  const wordFor = async (owner: bigint, rows: readonly MessageRow[], reader: Reader): Promise<Message[]> => {
    const guarded = new Set(rows.flatMap(({ id, template }) => (SECURITY_TEMPLATES.has(template ?? '') ? [id] : [])));
    const known = guarded.size > 0 ? await wordOf(owner) : null;
    return word(rows, reader).map((message) =>
      known !== null && guarded.has(message.id)
        ? { ...message, content: `${message.content} ${translate(reader.language, 'codes.word', { word: known })}` }
        : message,
    );
  };

  const readingOf = async (owner: bigint, now = clock.now()): Promise<NoticeReader> => ({
    owner,
    now,
    ...(await audienceOf(owner)),
  });

  const pushUnread = async (reading: NoticeReader): Promise<number> => {
    const { owner } = reading;
    const unread = await countUnread(database, reading);
    bus.emit('messages', { owner, data: { unread } });
    return unread;
  };

  const placeOf = async (reading: NoticeReader, page: string | undefined): Promise<NoticePageBounds | null> => {
    const limit = PAGE_SIZE;
    if (page === undefined || page === '' || page === '0') return { before: null, skip: 0, limit };
    if (PAGE_NUMBER.test(page)) return { before: null, skip: (Number(page) - 1) * PAGE_SIZE, limit };
    const before = await findMessageSequence(database, reading, page);
    return before === null ? null : { before, skip: 0, limit };
  };

  const api: Messages = {
    preview: openMessagePreview(wording),
    title: (template, params, language) =>
      wordMessage(
        { sequence: 0n, id: '', template, params, texts: null, at: new Date(0), read_at: null },
        { language },
        wording,
      )?.title ?? null,
    takeUnpushed: takeUnpushedMessages,
    send: notices.send,

    async list(owner, status, page, reader) {
      const reading = await readingOf(owner);
      const [place, unread] = await Promise.all([placeOf(reading, page), countUnread(database, reading)]);
      // An unknown cursor, or another customer's, gives an empty page.
      if (place === null) return { items: [], next: null, unread };
      const rows = await listMessageRows(database, reading, status === 'unread', { ...place, limit: place.limit + 1 });
      const shown = rows.slice(0, place.limit);
      const next = rows.length > place.limit ? (shown.at(-1)?.id ?? null) : null;
      return { items: await wordFor(owner, shown, reader), next, unread };
    },
    async history(owner, page, reader) {
      const reading = await readingOf(owner);
      const place = await placeOf(reading, page);
      if (place === null) return { items: [], next: null };
      const rows = await listMessageRows(database, reading, false, { ...place, limit: place.limit + 1 });
      const shown = rows.slice(0, place.limit);
      return {
        items: shown.flatMap((row) =>
          word([row], reader).map(({ status: _status, ...message }) => ({
            ...message,
            // A broadcast has its own words and no template.
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
      if (ids === 'all') await markAllMessageRowsRead(database, reading);
      else if (ids.length > 0) await markMessageRowsRead(database, reading, ids);
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
    withdrawBroadcasts: withdrawBroadcastRows,
    countReaders: (ids) => countBroadcastReaders(database, ids),
    sweep: (now) => sweepReadMessages(database, new Date(now.getTime() - READ_MEMORY_MS), SWEPT_MAX),
    async snapshot(owner, reader) {
      const reading = await readingOf(owner);
      const [rows, unread] = await Promise.all([
        listMessageRows(database, reading, true, { before: null, skip: 0, limit: 1 }),
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
