import * as v from 'valibot';
import { staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import {
  boundedText,
  choiceOf,
  emptyResult,
  fieldFault,
  id,
  isoTime,
  noFields,
  pagedListOf,
  remarkText,
} from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';
import { messageNumber, SUPPORT_TEXT_MAX, supportMessage } from './support.ts';
import { topic } from './topic.ts';

const SUPPORT_DESKS = ['support', 'compliance'] as const;
const LANGUAGES = ['en', 'zh', 'th', 'jp', 'ar', 'hi'] as const;
const READERS = ['support', 'compliance', 'admin'] as const;
const WRITERS = ['support', 'compliance'] as const;

const supportThread = v.object({
  id: v.string(),
  /** Null for a visitor. */
  customer: v.nullable(v.object({ id: v.string(), username: v.string() })),
  /** A person without an account, or one who cannot sign in. Nobody has checked that the contact is theirs. */
  visitor: v.nullable(v.object({ reference: v.string(), kind: v.picklist(['phone', 'email']), contact: v.string() })),
  language: v.picklist(LANGUAGES),
  status: v.picklist(['open', 'waiting', 'closed']),
  desk: v.picklist(SUPPORT_DESKS),
  assigned_to: v.nullable(staffMember),
  /** The beginning of the newest message. */
  excerpt: v.string(),
  last: v.number(),
  last_at: isoTime,
  unread: v.number(),
  waiting_since: v.nullable(isoTime),
  promised_at: v.nullable(isoTime),
});
export type SupportThread = v.InferOutput<typeof supportThread>;

const staffMessage = v.object({
  ...supportMessage.entries,
  author: v.picklist(['customer', 'visitor', 'staff']),
  /** True if the customer mentions paying, unlocking or a code, as victims of fraud do. */
  smells_of_fraud: v.boolean(),
  ready: v.nullable(v.string()),
});

const supportCase = v.object({
  ...supportThread.entries,
  items: v.array(staffMessage),
  next: v.nullable(v.string()),
  read_by_customer: v.number(),
  customer_types_until: v.nullable(isoTime),
  steps: v.array(
    v.object({
      what: v.picklist(['taken', 'handed_over', 'closed', 'noted']),
      by: staffMember,
      handed_to: v.nullable(v.string()),
      note: v.nullable(v.string()),
      at: isoTime,
    }),
  ),
});
export type SupportCase = v.InferOutput<typeof supportCase>;

export const listSupportThreads = call('GET /admin/support/threads', {
  who: 'operator',
  roles: READERS,
  summary: 'Conversations: open ones that wait longest first, own ones, those that wait for the customer, closed ones.',
  request: v.object({
    status: v.optional(choiceOf(['open', 'mine', 'waiting', 'closed'])),
    lang: v.optional(choiceOf(LANGUAGES)),
    page: v.optional(v.pipe(v.string(), v.regex(/^(?:[0-9]{13}\.[A-Za-z0-9_-]{22})?$/, fieldFault('malformed')))),
  }),
  result: v.object({
    ...pagedListOf(supportThread).entries,
    counts: v.object({ open: v.number(), mine: v.number(), waiting: v.number() }),
    promised_minutes: v.number(),
  }),
});

export const readSupportThread = call('GET /admin/support/thread', {
  who: 'operator',
  roles: READERS,
  summary: 'One conversation: its newest messages, or those before `page`.',
  request: v.object({ id, page: v.optional(messageNumber) }),
  result: supportCase,
  refusals: ['thread_unknown'],
});

export const openSupportPicture = call('POST /admin/support/picture', {
  who: 'operator',
  roles: WRITERS,
  summary: 'A picture of a conversation, with the operator’s work name drawn over it. Each look is in the log.',
  request: v.object({ id, number: messageNumber }),
  result: v.object({ data_url: v.string() }),
  refusals: ['thread_unknown', 'picture_unknown'],
});

export const uploadSupportPicture = call('POST /admin/support/upload', {
  who: 'operator',
  roles: WRITERS,
  summary:
    'Upload a picture for an answer (multipart, field `image`); it is re-encoded and stripped of metadata, and deleted after a day unless it is sent.',
  takesFile: true,
  request: noFields,
  result: v.object({ id: v.string() }),
  refusals: ['picture_missing', 'picture_unreadable', 'picture_too_large', 'picture_slow', 'picture_quota_used'],
});

export const answerSupport = call('POST /admin/support/send', {
  who: 'operator',
  roles: WRITERS,
  summary:
    'Answer: a text, an uploaded picture or both, or a ready answer in the customer’s language. Takes the conversation when nobody has it.',
  request: v.object({
    id,
    text: v.optional(remarkText(SUPPORT_TEXT_MAX)),
    image: v.optional(id),
    /** The id of a ready answer. Two people have approved it unchanged, so it takes no picture. */
    ready: v.optional(id),
  }),
  result: supportCase,
  refusals: [
    'thread_unknown',
    'taken_by_other',
    'message_empty',
    'ready_unknown',
    'picture_unknown',
    'picture_quota_used',
    'text_names_site',
    'text_asks_for_secret',
    'text_asks_for_payment',
    'answer_too_long',
  ],
});

export const takeSupportThread = call('POST /admin/support/take', {
  who: 'operator',
  roles: WRITERS,
  summary: 'Take a conversation, or take it over.',
  request: v.object({ id, over: v.optional(choiceOf(['true'])) }),
  result: supportCase,
  refusals: ['thread_unknown', 'taken_by_other'],
});

export const handOverSupport = call('POST /admin/support/hand_over', {
  who: 'operator',
  roles: WRITERS,
  summary: 'Hand a conversation to a desk or to a colleague, with a note for them.',
  request: v.object({ id, to: boundedText(1, 20), note: remarkText(1_000) }),
  result: emptyResult,
  refusals: ['thread_unknown', 'colleague_unknown'],
});

export const noteSupport = call('POST /admin/support/note', {
  who: 'operator',
  roles: WRITERS,
  summary: 'A note for staff. The customer may ask to see it.',
  request: v.object({ id, note: remarkText(1_000) }),
  result: supportCase,
  refusals: ['thread_unknown'],
});

export const closeSupport = call('POST /admin/support/close', {
  who: 'operator',
  roles: WRITERS,
  summary: 'Close an answered conversation. It opens again when the customer writes.',
  request: v.object({ id }),
  result: emptyResult,
  refusals: ['thread_unknown', 'customer_waits'],
});

export const markThreadRead = call('POST /admin/support/read', {
  who: 'operator',
  roles: WRITERS,
  summary: 'Messages up to this number were seen; the customer is shown that they were.',
  request: v.object({ id, number: messageNumber }),
  result: emptyResult,
  refusals: ['thread_unknown'],
});

export const typeAnswer = call('POST /admin/support/typing', {
  who: 'operator',
  roles: WRITERS,
  summary: 'An answer is being written; holds for six seconds.',
  request: v.object({ id }),
  result: emptyResult,
  refusals: ['thread_unknown'],
});

export const listReadyAnswers = call('GET /admin/support/ready', {
  who: 'operator',
  roles: ['support', 'compliance', 'content', 'admin'],
  summary: 'Ready answers in force, in one language or English where it is lacking, and in all of them for editors.',
  request: v.object({ lang: v.optional(choiceOf(LANGUAGES)) }),
  result: v.array(
    v.object({
      code: v.string(),
      version: v.number(),
      language: v.picklist(LANGUAGES),
      text: v.string(),
      texts: v.record(v.string(), v.string()),
      is_waiting: v.boolean(),
    }),
  ),
});

export const proposeReadyAnswer = call('POST /admin/support/ready/propose', {
  who: 'operator',
  roles: ['content'],
  summary: 'Propose a ready answer or its new text, signed by `step_up`. It is in force when another person approves.',
  request: v.object({
    code: v.pipe(v.string(fieldFault('required')), v.regex(/^[a-z][a-z0-9-]{1,39}$/, fieldFault('malformed'))),
    en: remarkText(SUPPORT_TEXT_MAX),
    th: remarkText(SUPPORT_TEXT_MAX),
    zh: v.optional(remarkText(SUPPORT_TEXT_MAX)),
    jp: v.optional(remarkText(SUPPORT_TEXT_MAX)),
    ar: v.optional(remarkText(SUPPORT_TEXT_MAX)),
    hi: v.optional(remarkText(SUPPORT_TEXT_MAX)),
    step_up: stepUpId,
  }),
  result: v.object({ approval: v.string() }),
  refusals: [...PROPOSED_REFUSALS, 'already_waiting', 'text_asks_for_secret', 'text_asks_for_payment'],
});

/** Contains no texts, only which conversations must be read again. */
export const inboxTopic = topic('inbox', {
  who: 'operator',
  summary:
    'The conversations that changed last, each with the number of its latest change; sent again when any of them changes.',
  merge: 'reread',
  event: v.object({ threads: v.array(v.object({ id: v.string(), changed: v.string() })) }),
});
