import * as v from 'valibot';
import { call } from './call.ts';
import { boundedText, choiceOf, isoTime, noFields, pageField } from './fields.ts';
import type { RichBlock } from './rich-text.ts';
import { topic } from './topic.ts';

const message = v.object({
  id: v.string(),
  title: v.string(),
  content: v.string(),
  /** The formatted content of a notice that an operator wrote; null for plain text. */
  body: v.nullable(v.array(v.custom<RichBlock>((block) => typeof block === 'object'))),
  status: v.picklist(['unread', 'read']),
  at: isoTime,
});
export type Message = v.InferOutput<typeof message>;
export const listMessages = call('POST /users/message', {
  who: 'customer',
  summary: 'Notices of this customer.',
  request: v.object({ status: choiceOf(['all', 'unread']), page: pageField('[A-Za-z0-9_-]{16}') }),
  result: v.object({ items: v.array(message), next: v.nullable(v.string()), unread: v.number() }),
});
export const listUnreadMessages = call('GET /users/message/unread', {
  who: 'customer',
  summary: 'Unread notices, newest first.',
  request: noFields,
  result: v.object({ items: v.array(message), unread: v.number() }),
});
export const markMessagesRead = call('POST /users/message/reader', {
  who: 'customer',
  summary: 'Mark notices as read: ids, comma separated, or `all`.',
  request: v.object({ ids: boundedText(1, 4000) }),
  result: v.object({ unread: v.number() }),
});

const unread = v.number();
/** Notices are written in each reader's language, so a new notice is sent as a new snapshot. */
export const messagesTopic = topic('messages', {
  who: 'customer',
  summary: 'How many notices are unread, and the newest of those.',
  merge: 'reread',
  event: v.object({ unread }),
  snapshot: v.object({ unread, latest: v.nullable(message) }),
});
