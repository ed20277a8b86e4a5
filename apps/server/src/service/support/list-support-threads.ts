import { listSupportThreads } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { ANSWER_PROMISED_MINUTES } from './conversation.ts';
import type { Inbox } from './inbox.ts';

export function listSupportThreadsHandler(inbox: Inbox): Handler {
  return handle(listSupportThreads, async ({ operator, request, now }) => {
    const { status = 'open', lang = null, page = '' } = request;
    const [ms = '', id = ''] = page.split('.');
    const after = id === '' ? null : { at: new Date(Number(ms)), id };
    const { items, next, counts } = await inbox.list(operator, { status, language: lang, after }, now);
    const { open, mine, waiting } = counts;
    return accept({ items, next, counts: { open, mine, waiting }, promised_minutes: ANSWER_PROMISED_MINUTES });
  });
}
