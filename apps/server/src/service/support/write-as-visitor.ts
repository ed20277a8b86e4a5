import { randomBytes, randomInt } from 'node:crypto';
import { type ResultOf, writeAsVisitor } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { NO_OWNER } from '../../platform/files/index.ts';
import { ANSWER_PROMISED_MINUTES } from './conversation.ts';
import type { SupportDependencies } from './support.ts';
import { supportOpensAt } from './support-hours.ts';
import { findVisitorMessage, insertMessage, noteMessageWritten, openVisitorThread } from './support-store.ts';

/** Excludes letters and digits that look alike. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const newReference = (): string =>
  `V-${Array.from({ length: 8 }, () => SIGNS[randomInt(SIGNS.length)] ?? '').join('')}`;

/**
 * Each message is its own conversation, because a stranger must not write into somebody else's by typing their contact.
 */
export function writeAsVisitorHandler(module: SupportDependencies): Handler {
  const { database, files, visitors, brand } = module;
  return handle(writeAsVisitor, async ({ request: { id, contact: typed, text }, file, client, language, now }) => {
    const answer = (reference: string): ResultOf<typeof writeAsVisitor> => ({
      reference,
      promised_minutes: ANSWER_PROMISED_MINUTES,
      opens_at: supportOpensAt(now, brand.supportHours, brand.timeZone)?.toISOString() ?? null,
    });
    const before = await findVisitorMessage(database, id);
    if (before)
      return before.body === text ? accept(answer(before.reference)) : refuse('message_id_used', { field: 'id' });
    // Counts before the picture is decoded, so that requests over the limit cost nothing.
    const taken = await visitors.take(typed, client.address, now);
    if (!taken.ok) return taken;
    let picture: string | null = null;
    if (file && file.bytes.length > 0) {
      const kept = await files.keepOfVisitor(file.bytes, now);
      if (!kept.ok) return refuse(kept.refusal, { field: 'image' });
      picture = kept.effect;
    }
    const thread = randomBytes(16).toString('base64url');
    const reference = newReference();
    try {
      await database.transaction(async (transaction) => {
        await openVisitorThread(transaction, { id: thread, contact: taken.effect, reference, language });
        const row = {
          thread,
          number: 1,
          id,
          author: 'visitor',
          operator: null,
          work_name: null,
          body: text,
          picture,
          ready: null,
          at: now,
          waited_ms: null,
        } as const;
        await insertMessage(transaction, row);
        await noteMessageWritten(transaction, row, language);
      });
    } catch (error) {
      if (picture !== null) await files.remove(NO_OWNER, picture);
      // The same message was sent twice at once, and the other one is stored.
      const twin = await findVisitorMessage(database, id);
      if (twin) return accept(answer(twin.reference));
      throw error;
    }
    return accept(answer(reference));
  });
}
