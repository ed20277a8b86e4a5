import type { Handler } from '../edge/index.ts';
import { listMessagesHandler } from './list-messages.ts';
import { listUnreadMessagesHandler } from './list-unread-messages.ts';
import { markMessagesReadHandler } from './mark-messages-read.ts';
import type { Messages } from './open-messages.ts';

export { type MessagePage, type Messages, openMessages } from './open-messages.ts';
export type { Template, Templates } from './templates.ts';

export function messagesHandlers(messages: Messages): Handler[] {
  return [listMessagesHandler(messages), listUnreadMessagesHandler(messages), markMessagesReadHandler(messages)];
}
