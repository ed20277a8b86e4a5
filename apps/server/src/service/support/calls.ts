import {
  answerSupport,
  closeSupport,
  handOverSupport,
  markSupportRead,
  markThreadRead,
  noteSupport,
  openSupportPicture,
  readSupport,
  readSupportThread,
  sendSupport,
  takeSupportThread,
  typeAnswer,
  typeSupport,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Conversation } from './conversation.ts';
import type { Inbox } from './inbox.ts';

export const inboxCalls = (inbox: Inbox): Handler[] => [
  handle(answerSupport, ({ operator, request: { id, text = '', image = null, ready }, intent, now }) => {
    if (ready === undefined) return inbox.answer(operator, id, intent.id, { text, image }, now);
    if (image !== null) return Promise.resolve(refuse('picture_unknown', { field: 'image' }));
    return inbox.answer(operator, id, intent.id, { ready }, now);
  }),
  handle(closeSupport, async ({ operator, request: { id }, now }) => {
    const done = await inbox.close(operator, id, now);
    return done.ok ? accept({}) : done;
  }),
  handle(handOverSupport, async ({ operator, request: { id, to, note }, now }) => {
    const done = await inbox.handOver(operator, id, to.trim().toLowerCase(), note, now);
    return done.ok ? accept({}) : done;
  }),
  handle(markThreadRead, async ({ operator, request: { id, number } }) => {
    const done = await inbox.markRead(operator, id, number);
    return done.ok ? accept({}) : done;
  }),
  handle(noteSupport, ({ operator, request: { id, note }, now }) => inbox.note(operator, id, note, now)),
  handle(openSupportPicture, async ({ operator, request: { id, number }, now }) => {
    const picture = await inbox.look(operator, id, number, now);
    if (!picture.ok) return picture;
    return accept({ data_url: `data:image/webp;base64,${picture.effect.toString('base64')}` });
  }),
  handle(readSupportThread, async ({ operator, request: { id, page = null }, now }) => {
    const seen = await inbox.read(operator, id, page, now);
    return seen ? accept(seen) : refuse('thread_unknown', { field: 'id' });
  }),
  handle(takeSupportThread, ({ operator, request: { id, over }, now }) =>
    inbox.take(operator, id, over === 'true', now),
  ),
  handle(typeAnswer, async ({ operator, request: { id }, now }) => {
    const done = await inbox.types(operator, id, now);
    return done.ok ? accept({}) : done;
  }),
];

export const conversationCalls = (conversation: Conversation): Handler[] => [
  handle(markSupportRead, async ({ customer, request: { number } }) =>
    accept(await conversation.markRead(customer.id, number)),
  ),
  handle(readSupport, async ({ customer, request: { page = null, after = null } }) =>
    // Page 0 means the start of the list, as in every list.
    accept(await conversation.read(customer.id, { before: page === 0 ? null : page, after })),
  ),
  handle(sendSupport, ({ customer, request: { id, text = '', image = null }, language, now }) =>
    conversation.write(customer.id, { id, text, image, language }, now),
  ),
  handle(typeSupport, async ({ customer, now }) => {
    await conversation.types(customer.id, now);
    return accept({});
  }),
];
