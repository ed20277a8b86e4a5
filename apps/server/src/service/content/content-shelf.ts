import type { ContentKind, ContentLanguage, ContentWords, RichText } from '@sathorn/api';
import type { Queries } from '../../platform/database/index.ts';
import {
  type NoticeAudience,
  type PublishedContent,
  parseAudience,
  parsePublishedContent,
  wordsInLanguage,
} from './contents.ts';
import { readPublicationsInForce } from './contents-store.ts';

/** The maximum age of the contents that customers read. */
const FRESH_MS = 2_000;

export interface ShelfEntry {
  readonly entry: string;
  readonly kind: ContentKind;
  readonly audience: NoticeAudience;
  readonly from: Date;
  readonly to: Date | null;
  readonly changedAt: Date;
  readonly settings: PublishedContent['settings'];
  words(language: string): ContentWords;
}

/** All published content except notices. It is read at most every few seconds, because every visitor requests it. */
export interface ContentShelf {
  /** Entries in force at this time, newest first. With `over`, ended ones are included. */
  of(kinds: readonly ContentKind[], now: Date, over?: boolean): Promise<readonly ShelfEntry[]>;
  /** Called after a publication, so that its author sees it at once. */
  forget(): void;
}

/** Only shipped texts contain the placeholder for the brand's name. */
function named(words: ContentWords, brandTitle: string): ContentWords {
  const say = (text: string): string => text.replaceAll('{brand}', brandTitle);
  return {
    title: say(words.title),
    summary: say(words.summary),
    body: JSON.parse(say(JSON.stringify(words.body))) as RichText as ContentWords['body'],
  };
}

export function openContentShelf(
  database: Queries,
  { title, locale }: { readonly title: string; readonly locale: ContentLanguage },
): ContentShelf {
  let reading: Promise<readonly ShelfEntry[]> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;

  const read = async (): Promise<readonly ShelfEntry[]> => {
    const rows = await readPublicationsInForce(database);
    return rows.map((row) => {
      const { settings, texts } = parsePublishedContent(row.content);
      return {
        entry: row.entry,
        kind: row.kind,
        audience: parseAudience(row.audience),
        from: row.from_at,
        to: row.to_at,
        changedAt: row.published_at ?? row.made_at,
        settings,
        words: (language) => {
          const words = wordsInLanguage(texts, language, locale);
          if (!words) throw new Error(`publication ${row.id} has no text`);
          return row.made_by === null ? named(words, title) : words;
        },
      };
    });
  };
  const latest = (): Promise<readonly ShelfEntry[]> => {
    const now = performance.now();
    if (reading === null || now - readAt > FRESH_MS) {
      readAt = now;
      const mine = read();
      reading = mine;
      mine.catch(() => {
        if (reading === mine) reading = null;
      });
    }
    return reading;
  };
  return {
    async of(kinds, now, over = false) {
      const seen = new Set<string>();
      return (await latest()).filter((one) => {
        if (!kinds.includes(one.kind) || one.from > now || seen.has(one.entry)) return false;
        seen.add(one.entry);
        return over || one.to === null || one.to > now;
      });
    },
    forget: () => {
      reading = null;
    },
  };
}
