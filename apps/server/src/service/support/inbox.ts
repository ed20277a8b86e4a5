import type { OperatorRole, SupportCase, SupportThread } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { SMS_TEXT_MAX } from '../../people/customers/index.ts';
import type { Transaction } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { NO_OWNER, ownerOfStaff } from '../../platform/files/index.ts';
import { faultOfStaffText, isScamReport } from '../../staff/staff-text.ts';
import { ANSWER_PROMISED_MINUTES, MESSAGE_NUMBER_MAX, TYPING_SHOWN_MS, viewMessageForStaff } from './conversation.ts';
import type { SupportDependencies } from './support.ts';
import {
  assignThread,
  closeThread,
  countThreads,
  findMessage,
  findThread,
  insertMessage,
  insertThreadStep,
  listChangedThreads,
  listMessagesBefore,
  listReadyAnswerRows,
  listThreadSteps,
  listThreads,
  lockThread,
  markReadByStaff,
  noteMessageAnswered,
  noteStaffTyping,
  type ReadyAnswerRow,
  readMessage,
  readNewestMessages,
  type SupportDesk,
  type SupportMessageRow,
  type ThreadCounts,
  type ThreadRow,
  type ThreadStepRow,
} from './support-store.ts';

const PAGE = 30;
const MESSAGES = 60;
const EXCERPT = 80;
/** More than an operator's list shows. */
const FOLLOWED = 100;
const MINUTE_MS = 60_000;

type Answer = { readonly text: string; readonly image: string | null } | { readonly ready: string };

/** Operators' acts on conversations. */
export interface Inbox {
  list(
    operator: OperatorSession,
    wanted: {
      readonly status: 'open' | 'mine' | 'waiting' | 'closed';
      readonly language: Language | null;
      readonly after: { readonly at: Date; readonly id: string } | null;
    },
    now: Date,
  ): Promise<{ items: SupportThread[]; next: string | null; counts: ThreadCounts }>;
  read(operator: OperatorSession, id: string, before: number | null, now: Date): Promise<SupportCase | null>;
  look(
    operator: OperatorSession,
    id: string,
    number: number,
    now: Date,
  ): Promise<Decision<Buffer, 'thread_unknown' | 'picture_unknown'>>;
  /** `key` is the intent's id, so that an answer that is sent twice is stored once. */
  answer(
    operator: OperatorSession,
    id: string,
    key: string,
    answer: Answer,
    now: Date,
  ): Promise<
    Decision<
      SupportCase,
      | 'thread_unknown'
      | 'taken_by_other'
      | 'message_empty'
      | 'ready_unknown'
      | 'picture_unknown'
      | 'picture_quota_used'
      | 'text_names_site'
      | 'text_asks_for_secret'
      | 'text_asks_for_payment'
      | 'answer_too_long'
    >
  >;
  take(
    operator: OperatorSession,
    id: string,
    isOver: boolean,
    now: Date,
  ): Promise<Decision<SupportCase, 'thread_unknown' | 'taken_by_other'>>;
  handOver(
    operator: OperatorSession,
    id: string,
    to: string,
    note: string,
    now: Date,
  ): Promise<Decision<null, 'thread_unknown' | 'colleague_unknown'>>;
  note(
    operator: OperatorSession,
    id: string,
    note: string,
    now: Date,
  ): Promise<Decision<SupportCase, 'thread_unknown'>>;
  close(operator: OperatorSession, id: string, now: Date): Promise<Decision<null, 'thread_unknown' | 'customer_waits'>>;
  markRead(operator: OperatorSession, id: string, number: number): Promise<Decision<null, 'thread_unknown'>>;
  types(operator: OperatorSession, id: string, now: Date): Promise<Decision<null, 'thread_unknown'>>;
  /** The conversations of the operator's desk that changed last. */
  latest(operator: OperatorSession): Promise<{ threads: { id: string; changed: string }[] }>;
  /** The number of conversations that wait at a desk, or at both. */
  counts(now: Date, desk: SupportDesk | null): Promise<ThreadCounts>;
}

const has = ({ roles }: Pick<OperatorSession, 'roles'>, role: OperatorRole): boolean => roles.includes(role);
const unknown = () => refuse('thread_unknown' as const, { field: 'id' });

/** The desk whose conversations an operator sees. Compliance sees only those that were handed over to it. */
const deskOf = (operator: OperatorSession): SupportDesk | null =>
  has(operator, 'support') || has(operator, 'admin') ? null : 'compliance';
const maySee = (operator: OperatorSession, thread: ThreadRow): boolean => {
  const desk = deskOf(operator);
  return desk === null || thread.desk === desk;
};

const visitorOf = ({ contact_kind: kind, contact, reference }: ThreadRow): SupportThread['visitor'] =>
  kind === null || contact === null || reference === null ? null : { reference, kind, contact };

export function openInbox(module: SupportDependencies): Inbox {
  const { database, bus, audit } = module;
  const overdueBefore = (now: Date) => new Date(now.getTime() - ANSWER_PROMISED_MINUTES * MINUTE_MS);
  const staffOf = async (operator: bigint | null) =>
    operator === null ? null : { id: String(operator), work_name: await module.staffName(operator) };
  const tell = ({ customer, last }: Pick<ThreadRow, 'customer' | 'last'>) => {
    if (customer !== null) bus.emit('support', { owner: customer, data: { last } });
  };
  /** The customer of the log's entry about a conversation; none for a visitor, who could not read it. */
  const about = ({ customer }: ThreadRow) => (customer === null ? {} : { customer });

  const view = async (row: ThreadRow, newest: SupportMessageRow | undefined): Promise<SupportThread> => ({
    id: row.id,
    customer:
      row.customer === null ? null : { id: String(row.customer), username: await module.usernameOf(row.customer) },
    visitor: visitorOf(row),
    language: row.language,
    status: row.state === 'closed' ? 'closed' : row.waiting_since ? 'open' : 'waiting',
    desk: row.desk,
    assigned_to: await staffOf(row.assigned_to),
    excerpt: [...(newest?.body ?? '')].slice(0, EXCERPT).join(''),
    last: row.last,
    last_at: (row.last_at ?? new Date(0)).toISOString(),
    unread: Math.max(0, row.last - Math.max(row.read_by_staff, row.last_of_staff)),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    promised_at:
      row.waiting_since && new Date(row.waiting_since.getTime() + ANSWER_PROMISED_MINUTES * MINUTE_MS).toISOString(),
  });
  const viewCase = async (thread: ThreadRow, before: number | null): Promise<SupportCase> => {
    const [rows, steps, newest] = await Promise.all([
      listMessagesBefore(database, thread.id, before ?? MESSAGE_NUMBER_MAX, MESSAGES),
      listThreadSteps(database, thread.id),
      readNewestMessages(database, [thread.id]),
    ]);
    const [oldest] = rows;
    return {
      ...(await view(thread, newest.get(thread.id))),
      items: rows.map((row) => ({
        ...viewMessageForStaff(row),
        smells_of_fraud: row.author !== 'staff' && isScamReport(row.body),
        ready: row.ready,
      })),
      next: oldest && oldest.number > 1 ? String(oldest.number) : null,
      read_by_customer: thread.read_by_customer,
      customer_types_until: thread.customer_types_until?.toISOString() ?? null,
      steps: steps.map((step) => ({
        what: step.what,
        by: { id: String(step.operator), work_name: step.work_name },
        handed_to: step.handed_to,
        note: step.note,
        at: step.at.toISOString(),
      })),
    };
  };
  const seen = async (operator: OperatorSession, id: string): Promise<ThreadRow | null> => {
    const thread = await findThread(database, id);
    return thread && maySee(operator, thread) ? thread : null;
  };
  const caseAfter = async (id: string): Promise<SupportCase> => {
    const thread = await findThread(database, id);
    if (!thread) throw new Error(`no conversation ${id}`);
    return viewCase(thread, null);
  };
  /** Runs an act on a conversation with its change of state and its log entry. */
  const act = <Refusal extends string>(
    operator: OperatorSession,
    id: string,
    { what, ...step }: Pick<ThreadStepRow, 'what' | 'handed_to' | 'note' | 'at'>,
    change: (transaction: Parameters<typeof lockThread>[0], thread: ThreadRow) => Promise<Decision<ThreadRow, Refusal>>,
  ): Promise<Decision<ThreadRow, Refusal | 'thread_unknown'>> =>
    database.transaction(async (transaction): Promise<Decision<ThreadRow, Refusal | 'thread_unknown'>> => {
      const thread = await lockThread(transaction, id);
      if (!thread || !maySee(operator, thread)) return unknown();
      const done = await change(transaction, thread);
      if (!done.ok) return done;
      await insertThreadStep(transaction, id, { what, ...step, operator: operator.id, work_name: operator.workName });
      await audit.append(transaction, {
        operator,
        what: `support.${what}`,
        on: { kind: 'support', id },
        ...about(thread),
        ...(step.handed_to !== null && { after: { to: step.handed_to } }),
        ...(step.note !== null && { note: step.note }),
      });
      return done;
    });

  return {
    counts: (now, desk) => countThreads(database, { operator: 0n, desk, overdueBefore: overdueBefore(now) }),

    async latest(operator) {
      const rows = await listChangedThreads(database, deskOf(operator), FOLLOWED);
      return { threads: rows.map(({ id, changed }) => ({ id, changed: String(changed) })) };
    },

    async list(operator, { status, language, after }, now) {
      const desk = deskOf(operator);
      const rows = await listThreads(database, {
        status,
        operator: operator.id,
        desk,
        language,
        after,
        limit: PAGE + 1,
      });
      const shown = rows.slice(0, PAGE);
      const newest = await readNewestMessages(
        database,
        shown.map(({ id }) => id),
      );
      const last = shown.at(-1);
      const place = last && (status === 'open' ? last.waiting_since : last.last_at);
      return {
        items: await Promise.all(shown.map((row) => view(row, newest.get(row.id)))),
        next: rows.length > PAGE && last && place ? `${place.getTime()}.${last.id}` : null,
        counts: await countThreads(database, { operator: operator.id, desk, overdueBefore: overdueBefore(now) }),
      };
    },

    async read(operator, id, before) {
      const thread = await seen(operator, id);
      return thread && viewCase(thread, before);
    },

    async look(operator, id, number, now) {
      const thread = await seen(operator, id);
      if (!thread) return unknown();
      const row = await readMessage(database, id, number);
      if (!row?.picture) return refuse('picture_unknown', { field: 'number' });
      await database.transaction((transaction) =>
        audit.append(transaction, {
          operator,
          what: 'support.picture_opened',
          on: { kind: 'support', id },
          ...about(thread),
          after: { number: String(number) },
        }),
      );
      const mark = `${operator.workName} ${id.slice(0, 6)} ${now.toISOString().slice(0, 16).replace('T', ' ')}`;
      const picture = await module.files.readMarked(thread.customer ?? NO_OWNER, row.picture, mark);
      return picture === null ? refuse('picture_unknown', { field: 'number' }) : accept(picture);
    },

    async answer(operator, id, key, answer, now) {
      const visible = await seen(operator, id);
      if (!visible) return unknown();
      let ready: ReadyAnswerRow | null = null;
      if ('ready' in answer) {
        ready = (await listReadyAnswerRows(database)).find(({ code }) => code === answer.ready) ?? null;
        if (!ready) return refuse('ready_unknown', { field: 'ready' });
      }
      const text = 'text' in answer ? answer.text : (ready?.texts[visible.language] ?? ready?.texts.en ?? '');
      const image = 'text' in answer ? answer.image : null;
      if (text === '' && image === null) return refuse('message_empty', { field: 'text' });
      // Two people approved a ready answer, so it may contain words that operators must not write themselves.
      const fault = ready || text === '' ? null : faultOfStaffText(text);
      if (fault) return refuse(fault, { field: 'text' });
      const { customer } = visible;
      const visitor = visitorOf(visible);
      // A visitor gets no picture, because there is no page on which only that visitor could see it.
      if (visitor && image !== null) return refuse('picture_unknown', { field: 'image' });
      if (visitor?.kind === 'phone' && text.length > SMS_TEXT_MAX)
        return refuse('answer_too_long', { field: 'text', params: { max: String(SMS_TEXT_MAX) } });
      let picture: { readonly id: string; readonly digest: string } | null = null;
      let dispatch: (() => void) | null = null;
      if (image !== null && customer !== null && !(await findMessage(database, id, key))) {
        const kept = await module.files.keepAsAnswer(operator.id, image, customer, now);
        if (!kept.ok) return kept;
        if (kept.effect === null) return refuse('picture_unknown', { field: 'image' });
        picture = kept.effect;
      }
      const write = async (
        transaction: Transaction,
      ): Promise<Decision<SupportMessageRow | null, 'thread_unknown' | 'taken_by_other'>> => {
        const thread = await lockThread(transaction, id);
        if (!thread || !maySee(operator, thread)) return unknown();
        if (await findMessage(transaction, id, key)) return accept(null);
        if (thread.assigned_to !== null && thread.assigned_to !== operator.id)
          return refuse('taken_by_other', { params: { by: await module.staffName(thread.assigned_to) } });
        const row: SupportMessageRow = {
          thread: id,
          number: thread.last + 1,
          id: key,
          author: 'staff',
          operator: operator.id,
          work_name: operator.workName,
          body: text,
          picture: picture?.id ?? null,
          ready: ready?.code ?? null,
          at: now,
          waited_ms: thread.waiting_since && BigInt(Math.max(0, now.getTime() - thread.waiting_since.getTime())),
        };
        await insertMessage(transaction, row);
        await noteMessageAnswered(transaction, row);
        if (visitor)
          dispatch = await module.visitors.answer(
            transaction,
            {
              contact: { kind: visitor.kind, value: visitor.contact },
              reference: visitor.reference,
              text,
              language: thread.language,
            },
            now,
          );
        await audit.append(transaction, {
          operator,
          what: 'support.answered',
          on: { kind: 'support', id },
          ...about(thread),
          after: {
            number: String(row.number),
            ...(ready && { ready: ready.code }),
            // The digest identifies the picture for good, so that nobody can deny or exchange it.
            ...(picture && { picture: picture.digest }),
          },
        });
        return accept(row);
      };
      let sent: string | null = null;
      try {
        const done = await database.transaction(write);
        if (!done.ok) return done;
        sent = done.effect?.picture ?? null;
      } finally {
        // The message was refused or failed, or another attempt wrote it with its own copy of the picture.
        if (picture && customer !== null && sent === null) await module.files.remove(customer, picture.id);
      }
      if (image !== null) await module.files.remove(ownerOfStaff(operator.id), image);
      // Assigned within the transaction, which the compiler cannot see.
      (dispatch as (() => void) | null)?.();
      const after = await caseAfter(id);
      tell({ customer, last: after.last });
      return accept(after);
    },

    async take(operator, id, isOver, now) {
      const done = await act(
        operator,
        id,
        { what: 'taken', handed_to: null, note: null, at: now },
        async (transaction, thread) => {
          const holder = thread.assigned_to;
          if (holder !== null && holder !== operator.id && !isOver)
            return refuse('taken_by_other', { params: { by: await module.staffName(holder) } });
          await assignThread(transaction, id, operator.id, thread.desk);
          return accept(thread);
        },
      );
      return done.ok ? accept(await caseAfter(id)) : done;
    },

    async handOver(operator, id, to, note, now) {
      const step = { what: 'handed_over', handed_to: to, note, at: now } as const;
      const done = await act(operator, id, step, async (transaction, thread) => {
        if (to === 'support' || to === 'compliance') {
          await assignThread(transaction, id, null, to);
          return accept(thread);
        }
        const colleague = await module.findColleague(transaction, to);
        const answers = colleague?.roles.some((role) => role === 'support' || role === 'compliance');
        if (!colleague || !answers) return refuse('colleague_unknown', { field: 'to' });
        const desk = colleague.roles.includes('support') ? thread.desk : 'compliance';
        await assignThread(transaction, id, colleague.id, desk);
        return accept(thread);
      });
      return done.ok ? accept(null) : done;
    },

    async note(operator, id, note, now) {
      const step = { what: 'noted', handed_to: null, note, at: now } as const;
      const done = await act<never>(operator, id, step, (_transaction, thread) => Promise.resolve(accept(thread)));
      return done.ok ? accept(await caseAfter(id)) : done;
    },

    async close(operator, id, now) {
      const step = { what: 'closed', handed_to: null, note: null, at: now } as const;
      const done = await act(operator, id, step, async (transaction, thread) => {
        if (thread.waiting_since) return refuse('customer_waits');
        await closeThread(transaction, id);
        return accept(thread);
      });
      if (!done.ok) return done;
      tell(done.effect);
      return accept(null);
    },

    async markRead(operator, id, number) {
      const thread = await seen(operator, id);
      if (!thread) return unknown();
      if (await markReadByStaff(database, id, number)) tell(thread);
      return accept(null);
    },

    async types(operator, id, now) {
      const thread = await seen(operator, id);
      if (!thread) return unknown();
      await noteStaffTyping(database, id, new Date(now.getTime() + TYPING_SHOWN_MS));
      tell(thread);
      return accept(null);
    },
  };
}
