import * as v from 'valibot';
import { call } from './call.ts';
import { emptyResult, fieldFault, id, isoTime, noFields, remarkText, uuid, wholeNumber } from './fields.ts';
import { loginName } from './person-fields.ts';
import { topic } from './topic.ts';

export const SUPPORT_TEXT_MAX = 2_000;
const LAST_NUMBER = 1_000_000;
/** A message's number within its conversation, from 1 without gaps. */
export const messageNumber = wholeNumber(0, LAST_NUMBER);

export const supportMessage = v.object({
  number: v.number(),
  /** The id created by the writing device. */
  id: v.string(),
  author: v.picklist(['customer', 'staff']),
  /** The work name of the operator who answered; null for the customer's own messages. */
  by: v.nullable(v.string()),
  text: v.string(),
  /** The id of a picture that this customer sent or received, or null. */
  picture: v.nullable(v.string()),
  at: isoTime,
});
export type SupportMessage = v.InferOutput<typeof supportMessage>;

const supportState = v.object({
  /** The newest message's number; 0 before the first. */
  last: v.number(),
  /** The number of answers that the customer has not seen. */
  unread: v.number(),
  read_by_staff: v.number(),
  is_open: v.boolean(),
  waiting_since: v.nullable(isoTime),
  /** The work name of the operator who answered last. */
  agent: v.nullable(v.string()),
  /** An operator is typing; the mark ends at this time. */
  types_until: v.nullable(isoTime),
  /** The promised time, and the median of the last days; null if there were too few answers. */
  promised_minutes: v.number(),
  usual_minutes: v.nullable(v.number()),
  /** When customer service opens again; null during its hours. */
  opens_at: v.nullable(isoTime),
});
export type SupportState = v.InferOutput<typeof supportState>;

export const readSupport = call('GET /support/messages', {
  who: 'customer',
  summary: 'The conversation with customer service: its newest messages, those before `page`, or those after `after`.',
  request: v.object({ page: v.optional(messageNumber), after: v.optional(messageNumber) }),
  result: v.object({ items: v.array(supportMessage), next: v.nullable(v.string()), state: supportState }),
});

export const sendSupport = call('POST /support/send', {
  who: 'customer',
  summary:
    'Write to customer service: a text, an uploaded picture, or both. `id` is made when the message is written; sent again with it, it is the same message.',
  request: v.object({
    id: uuid,
    text: v.optional(remarkText(SUPPORT_TEXT_MAX)),
    image: v.optional(id),
  }),
  result: v.object({ message: supportMessage, state: supportState }),
  refusals: [
    'message_empty',
    'message_id_used',
    'messages_too_fast',
    'messages_too_many',
    'picture_unknown',
    'picture_quota_used',
  ],
});

export const markSupportRead = call('POST /support/read', {
  who: 'customer',
  summary: 'Answers up to this number were seen.',
  request: v.object({ number: messageNumber }),
  result: supportState,
});

export const typeSupport = call('POST /support/typing', {
  who: 'customer',
  summary: 'The customer is writing; holds for six seconds.',
  request: noFields,
  result: emptyResult,
});

export const writeAsVisitor = call('POST /support/visitor', {
  who: 'anyone',
  summary:
    'Write to customer service without an account: a contact (phone or email), a text and, as multipart, one picture in the field `image`. The answer comes by mail or SMS. `id` is made when the message is written; sent again with it, it is the same message.',
  takesFile: 'optional',
  request: v.object({
    id: uuid,
    contact: v.pipe(loginName, v.minLength(3, fieldFault('too_short'))),
    text: remarkText(SUPPORT_TEXT_MAX),
  }),
  result: v.object({
    /** A reference by which the visitor can name the message later. */
    reference: v.string(),
    promised_minutes: v.number(),
    /** When customer service opens again; null during its hours. */
    opens_at: v.nullable(isoTime),
  }),
  refusals: [
    'contact_malformed',
    'visitor_delayed',
    'message_id_used',
    'picture_unreadable',
    'picture_too_large',
    'picture_slow',
  ],
});

/** Contains no texts. It only announces news, and the app reads the messages after its last number. */
export const supportTopic = topic('support', {
  who: 'customer',
  summary: 'The state of the conversation with customer service: its newest number, read marks, who is writing.',
  merge: 'reread',
  event: v.object({ last: v.number() }),
  snapshot: supportState,
});
