import { setTimeout as pause } from 'node:timers/promises';
import { plainText } from '@sathorn/api';
import { LANGUAGES } from '@sathorn/text';
import type { Transaction } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { parseAudience, parsePublishedContent, wordsInLanguage } from './contents.ts';
import {
  markNoticeDelivered,
  markPublished,
  type PublicationRow,
  readDueNotices,
  readEntryPublications,
  readPictureBytes,
} from './contents-store.ts';
import { listContentPicturesHandler } from './list-content-pictures.ts';
import { listContentsHandler } from './list-contents.ts';
import { listRulesTextsHandler } from './list-rules-texts.ts';
import { publishContentHandler } from './publish-content.ts';
import type { Publishing, PublishingDependencies, PublishingModule } from './publishing.ts';
import { readContentHandler } from './read-content.ts';
import { readContentVersionHandler } from './read-content-version.ts';
import { fillRules, rulesOfKind, type UpcomingRules } from './rules.ts';
import { rulesNoteOf, rulesNoteTitleOf } from './rules-note.ts';
import { saveContentHandler } from './save-content.ts';
import { takeDownContentHandler } from './take-down-content.ts';
import { uploadContentPictureHandler } from './upload-content-picture.ts';

const DELIVER_EVERY_MS = 5_000;
/** How long the notice of new rules stays after they have begun. */
const RULES_NOTICE_ENDS_MS = 14 * 24 * 3_600_000;
const PICTURE = /^[A-Za-z0-9_-]{22}$/;

/** The console's content page: texts, pictures, who may publish them, and when. */
export function openPublishing(dependencies: PublishingDependencies): Module<Publishing> {
  const { database, messages, brand, shelf, rules, clock, onFault } = dependencies;

  const deliver = (row: PublicationRow): Promise<void> =>
    database.transaction(async (transaction) => {
      if (row.to_at === null || !(await markNoticeDelivered(transaction, row.id))) return;
      const { texts } = parsePublishedContent(row.content);
      await messages.broadcast(transaction, {
        id: row.id,
        audience: parseAudience(row.audience),
        texts: Object.fromEntries(
          LANGUAGES.flatMap((language) => {
            const words = wordsInLanguage(texts, language, brand.locale);
            return words ? [[language, { title: words.title, content: plainText(words.body), body: words.body }]] : [];
          }),
        ),
        at: clock.now(),
        endsAt: row.to_at,
      });
    });

  /** Notifies every customer of new rules, in the transaction that approves them. */
  const announceRules = (transaction: Transaction, row: PublicationRow): Promise<void> => {
    const { texts } = parsePublishedContent(row.content);
    const next: UpcomingRules = {
      from: row.from_at,
      content: (language) => {
        const words = wordsInLanguage(texts, language, brand.locale);
        return words ? fillRules(words, rules.values(language)) : '';
      },
    };
    return messages.broadcast(transaction, {
      id: row.id,
      audience: parseAudience(row.audience),
      texts: Object.fromEntries(
        LANGUAGES.map((language) => {
          const content = rulesNoteOf(next, language, brand.timeZone);
          const body = [{ kind: 'paragraph' as const, inlines: [{ text: content }] }];
          return [language, { title: rulesNoteTitleOf(next, language, brand.timeZone), content, body }];
        }),
      ),
      at: clock.now(),
      endsAt: new Date(row.from_at.getTime() + RULES_NOTICE_ENDS_MS),
    });
  };

  const deliverDue = async (): Promise<void> => {
    for (const row of await readDueNotices(database)) await deliver(row);
  };

  const module: PublishingModule = {
    ...dependencies,
    readersOf: (publications) => messages.countReaders(publications),
    deliverDue,
  };

  return {
    api: {
      approvalKind: {
        // Takes the text from the approved request; the database compares its digest.
        apply: async (transaction, { content, subject }) => {
          const { publication } = JSON.parse(content) as { readonly publication: string };
          if (!(await markPublished(transaction, publication))) return false;
          const row = (await readEntryPublications(transaction, subject)).find(({ id }) => id === publication);
          if (row && rulesOfKind(row.kind) !== null) await announceRules(transaction, row);
          return true;
        },
        customerOf: () => null,
        applied: async () => {
          shelf.forget();
          await rules.refresh();
          await deliverDue();
        },
      },
      readPicture: async (id) => (PICTURE.test(id) ? readPictureBytes(database, id) : null),
      deliverDue,
    },
    handlers: [
      listContentsHandler(module),
      readContentHandler(module),
      readContentVersionHandler(module),
      saveContentHandler(module),
      publishContentHandler(module),
      takeDownContentHandler(module),
      uploadContentPictureHandler(module),
      listContentPicturesHandler(module),
      listRulesTextsHandler(module),
    ],
    jobs: [
      {
        on: 'housekeeper',
        async run(signal) {
          while (!signal.aborted) {
            await deliverDue().catch(onFault);
            await pause(DELIVER_EVERY_MS, undefined, { signal }).catch(() => undefined);
          }
        },
      },
    ],
  };
}
