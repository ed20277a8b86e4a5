import { startPause } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { faultOfAnnouncement } from '../staff-text.ts';
import type { PausesModule } from './pauses.ts';

/** The kind of the approval that ends a pause; its subject is the pause. */
export const PAUSE_END_APPROVAL = 'pause_end';

export function startPauseHandler({ database, api, channels }: PausesModule): Handler {
  return handle(startPause, async ({ operator, request }) => {
    const { kind, subject, text_en, text_th, text_zh, text_jp, text_ar, text_hi } = request;
    if (kind === 'channel' && !channels.includes(subject)) return refuse('channel_unknown', { field: 'subject' });
    const given = { en: text_en, th: text_th, zh: text_zh, jp: text_jp, ar: text_ar, hi: text_hi };
    const texts = Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => !!entry[1]));
    const fault = faultOfAnnouncement(texts);
    if (fault) return refuse(fault.code, { field: fault.field });
    return database.transaction(async (transaction) => {
      const id = await api.start(transaction, { kind, subject, texts, operator });
      return id === null ? refuse('already_paused', { field: 'subject' }) : accept({ id });
    });
  });
}
