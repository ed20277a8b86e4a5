import { randomBytes } from 'node:crypto';
import type { SupportMessage, SupportState } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Queries } from '../../platform/database/index.ts';
import type { SupportDependencies } from './support.ts';
import { supportOpensAt } from './support-hours.ts';
import {
  countWrittenMessages,
  findMessage,
  findThreadOfCustomer,
  insertMessage,
  listMessagesAfter,
  listMessagesBefore,
  lockThreadOfCustomer,
  markReadByCustomer,
  noteCustomerTyping,
  noteMessageWritten,
  readUsualWait,
  type SupportMessageRow,
  type ThreadRow,
} from './support-store.ts';

/** The promised time until the first answer. */
export const ANSWER_PROMISED_MINUTES = 10;
export const TYPING_SHOWN_MS = 6_000;
/** Larger than any message number: the database's integer limit. */
export const MESSAGE_NUMBER_MAX = 2_147_483_647;
const PAGE = 30;
const AFTER_MAX = 200;
const PER_MINUTE = 15;
const PER_DAY = 200;
const USUAL_DAYS = 7;
/** With fewer answers than this the median is meaningless. */
const USUAL_ANSWERS_MIN = 5;
const USUAL_AGE_MAX_MS = 60_000;

/** A customer's acts in their own conversation. */
export interface Conversation {
  read(
    customer: bigint,
    place: { readonly before: number | null; readonly after: number | null },
  ): Promise<{ items: SupportMessage[]; next: string | null; state: SupportState }>;
  write(
    customer: bigint,
    message: { readonly id: string; readonly text: string; readonly image: string | null; readonly language: Language },
    now: Date,
  ): Promise<
    Decision<
      { message: SupportMessage; state: SupportState },
      | 'message_empty'
      | 'message_id_used'
      | 'messages_too_fast'
      | 'messages_too_many'
      | 'picture_unknown'
      | 'picture_quota_used'
    >
  >;
  markRead(customer: bigint, number: number): Promise<SupportState>;
  types(customer: bigint, now: Date): Promise<void>;
  state(customer: bigint): Promise<SupportState>;
}

/** The message in the form for staff, who also see visitors' messages. */
export const viewMessageForStaff = (row: SupportMessageRow) => ({
  number: row.number,
  id: row.id,
  author: row.author,
  by: row.work_name,
  text: row.body,
  picture: row.picture,
  at: row.at.toISOString(),
});
function viewMessage(row: SupportMessageRow): SupportMessage {
  const { author, ...message } = viewMessageForStaff(row);
  if (author === 'visitor') throw new Error(`a customer's conversation ${row.thread} has a message of a visitor`);
  return { ...message, author };
}

export function openConversation(module: SupportDependencies): Conversation {
  const { database, bus, files, clock, brand } = module;

  let usual: { readonly minutes: number | null; readonly atMs: number } | null = null;
  /** The median time to an answer, read once a minute for all customers. */
  const usualMinutes = async (now: Date): Promise<number | null> => {
    if (usual === null || now.getTime() - usual.atMs > USUAL_AGE_MAX_MS) {
      const { answers, waitedMs } = await readUsualWait(database, new Date(now.getTime() - USUAL_DAYS * 86_400_000));
      const minutes = answers < USUAL_ANSWERS_MIN ? null : Math.max(1, Math.ceil(waitedMs / 60_000));
      usual = { minutes, atMs: now.getTime() };
    }
    return usual.minutes;
  };
  const agentOf = async (queries: Queries, thread: ThreadRow | null): Promise<string | null> => {
    if (thread === null || thread.last_of_staff === 0) return null;
    const [row] = await listMessagesAfter(queries, thread.id, thread.last_of_staff - 1, 1);
    return row?.work_name ?? null;
  };
  const stateOf = async (thread: ThreadRow | null): Promise<SupportState> => ({
    last: thread?.last ?? 0,
    unread: thread === null ? 0 : await countUnread(thread),
    read_by_staff: thread?.read_by_staff ?? 0,
    is_open: thread?.state === 'open',
    waiting_since: thread?.waiting_since?.toISOString() ?? null,
    agent: await agentOf(database, thread),
    types_until: thread?.staff_types_until?.toISOString() ?? null,
    promised_minutes: ANSWER_PROMISED_MINUTES,
    usual_minutes: await usualMinutes(clock.now()),
    opens_at: supportOpensAt(clock.now(), brand.supportHours, brand.timeZone)?.toISOString() ?? null,
  });
  const countUnread = async (thread: ThreadRow): Promise<number> => {
    if (thread.last_of_staff <= thread.read_by_customer) return 0;
    const newer = await listMessagesAfter(database, thread.id, thread.read_by_customer, AFTER_MAX);
    return newer.filter(({ author }) => author === 'staff').length;
  };

  const api: Conversation = {
    state: async (customer) => stateOf(await findThreadOfCustomer(database, customer)),

    async read(customer, { before, after }) {
      const thread = await findThreadOfCustomer(database, customer);
      const state = await stateOf(thread);
      if (thread === null) return { items: [], next: null, state };
      if (after !== null) {
        const rows = await listMessagesAfter(database, thread.id, after, AFTER_MAX);
        return { items: rows.map(viewMessage), next: null, state };
      }
      const rows = await listMessagesBefore(database, thread.id, before ?? MESSAGE_NUMBER_MAX, PAGE);
      const [oldest] = rows;
      return { items: rows.map(viewMessage), next: oldest && oldest.number > 1 ? String(oldest.number) : null, state };
    },

    async write(customer, { id, text, image, language }, now) {
      if (text === '' && image === null) return refuse('message_empty', { field: 'text' });
      const earlier = await findThreadOfCustomer(database, customer);
      const said = earlier && (await findMessage(database, earlier.id, id));
      // Stores the picture as an attachment before the message refers to it. An attachment without a message is deleted
      // later.
      let picture = said?.picture ?? null;
      if (image !== null && !said) {
        const kept = await files.keepAsAttachment(customer, image, now);
        if (!kept.ok) return kept;
        if (kept.effect === null) return refuse('picture_unknown', { field: 'image' });
        picture = kept.effect;
      }
      const done = await database.transaction(
        async (
          transaction,
        ): Promise<Decision<SupportMessageRow, 'message_id_used' | 'messages_too_fast' | 'messages_too_many'>> => {
          const fresh = { id: randomBytes(16).toString('base64url'), language };
          const thread = await lockThreadOfCustomer(transaction, customer, fresh);
          const before = await findMessage(transaction, thread.id, id);
          if (before) return before.body === text ? accept(before) : refuse('message_id_used', { field: 'id' });
          const written = await countWrittenMessages(transaction, thread.id, now);
          if (written.minute >= PER_MINUTE) return refuse('messages_too_fast');
          if (written.day >= PER_DAY) return refuse('messages_too_many');
          const row: SupportMessageRow = {
            thread: thread.id,
            number: thread.last + 1,
            id,
            author: 'customer',
            operator: null,
            work_name: null,
            body: text,
            picture,
            ready: null,
            at: now,
            waited_ms: null,
          };
          await insertMessage(transaction, row);
          await noteMessageWritten(transaction, row, language);
          return accept(row);
        },
      );
      if (!done.ok) return done;
      bus.emit('support', { owner: customer, data: { last: done.effect.number } });
      return accept({ message: viewMessage(done.effect), state: await api.state(customer) });
    },

    async markRead(customer, number) {
      const isNews = await markReadByCustomer(database, customer, number);
      const state = await api.state(customer);
      // Clears the unread mark on the customer's other devices.
      if (isNews) bus.emit('support', { owner: customer, data: { last: state.last } });
      return state;
    },

    types: (customer, now) => noteCustomerTyping(database, customer, new Date(now.getTime() + TYPING_SHOWN_MS)),
  };
  return api;
}
