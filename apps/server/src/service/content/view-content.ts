import { createHash } from 'node:crypto';
import {
  CONTENT_LANGUAGES,
  type ContentEntry,
  type ContentItem,
  type ContentSettings,
  type ContentWords,
} from '@sathorn/api';
import type { Queries } from '../../platform/database/index.ts';
import { checkContent } from './check-content.ts';
import {
  canonicalContentOf,
  NO_SETTINGS,
  type PublishedContent,
  parsePublishedContent,
  peopleForContent,
  wordsInLanguage,
  writtenLanguagesOf,
} from './contents.ts';
import {
  type ContentEntryRow,
  type ContentVersionRow,
  findPublicationFor,
  type PublicationRow,
  readEntryPublications,
  readEntryVersions,
  readNewestParts,
} from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';
import { RULES_NOTICE_DAYS, RULES_VALUES, rulesOfKind } from './rules.ts';

/** The current state: the newest text of each language, and the settings. */
export interface CurrentContent extends PublishedContent {
  readonly version: number;
  readonly parts: readonly ContentVersionRow[];
}

export async function readCurrentContent(queries: Queries, entry: string): Promise<CurrentContent> {
  const parts = await readNewestParts(queries, entry);
  const settings = parts.find(({ part }) => part === 'settings');
  return {
    settings: settings ? (JSON.parse(settings.content) as ContentSettings) : NO_SETTINGS,
    texts: Object.fromEntries(
      CONTENT_LANGUAGES.flatMap((language) => {
        const row = parts.find(({ part }) => part === language);
        return row ? [[language, JSON.parse(row.content) as ContentWords]] : [];
      }),
    ),
    version: Math.max(0, ...parts.map(({ n }) => n)),
    parts,
  };
}

export const contentDigestOf = (published: PublishedContent): string =>
  createHash('sha256').update(canonicalContentOf(published)).digest('hex');

function statusOf(publications: readonly PublicationRow[], isWaiting: boolean, now: Date): ContentItem['status'] {
  if (isWaiting) return 'waiting';
  const last = publications.find(({ published_at }) => published_at !== null);
  if (last === undefined) return 'draft';
  if (last.taken_down_at !== null) return 'taken_down';
  if (last.to_at !== null && last.to_at <= now) return 'ended';
  return last.from_at > now ? 'scheduled' : 'published';
}

/** An entry as a row of the console's list. */
export async function viewContentItem(
  module: PublishingModule,
  entry: ContentEntryRow & { readonly changed_at?: Date },
  now: Date,
): Promise<ContentItem> {
  const [standing, publications, isWaiting] = await Promise.all([
    readCurrentContent(module.database, entry.id),
    readEntryPublications(module.database, entry.id),
    module.isWaiting(module.database, 'content', entry.id),
  ]);
  return itemOf(module, entry, standing, publications, isWaiting, now);
}

async function itemOf(
  { brand, readersOf }: PublishingModule,
  entry: ContentEntryRow,
  standing: CurrentContent,
  publications: readonly PublicationRow[],
  isWaiting: boolean,
  now: Date,
): Promise<ContentItem> {
  const [last] = publications;
  const changed = Math.max(entry.made_at.getTime(), ...standing.parts.map(({ made_at }) => made_at.getTime()));
  const delivered = publications.filter(({ delivered_at }) => delivered_at !== null).map(({ id }) => id);
  return {
    id: entry.id,
    kind: entry.kind,
    title: wordsInLanguage(standing.texts, brand.locale, brand.locale)?.title.replaceAll('{brand}', brand.title) ?? '',
    status: statusOf(publications, isWaiting, now),
    languages: writtenLanguagesOf(standing.texts),
    version: standing.version,
    from: last?.from_at.toISOString() ?? null,
    to: last?.to_at?.toISOString() ?? null,
    audience: last?.audience ?? null,
    changed_at: new Date(changed).toISOString(),
    readers: delivered.length > 0 ? await readersOf(delivered) : null,
  };
}

function valuesOf({ rules }: PublishingModule, { kind }: ContentEntryRow): ContentEntry['values'] {
  const of = rulesOfKind(kind);
  if (of === null) return null;
  return CONTENT_LANGUAGES.map((lang) => {
    const all = rules.values(lang);
    return { lang, values: Object.fromEntries(RULES_VALUES[of].map((name) => [name, all[name]])) };
  });
}

const noticeOf = ({ kind }: ContentEntryRow): number | null => {
  const of = rulesOfKind(kind);
  return of && RULES_NOTICE_DAYS[of];
};

const listOf = ({ texts }: PublishedContent) =>
  writtenLanguagesOf(texts).flatMap((lang) => {
    const words = texts[lang];
    return words ? [{ lang, ...words }] : [];
  });

function publishedOf({ version, content, published_at, made_at }: PublicationRow) {
  const published = parsePublishedContent(content);
  const at = (published_at ?? made_at).toISOString();
  return { version, at, settings: published.settings, texts: listOf(published) };
}

export async function viewContentEntry(
  module: PublishingModule,
  entry: ContentEntryRow,
  now: Date,
): Promise<ContentEntry> {
  const { database, brand, staffName, findWaiting } = module;
  const [standing, publications, versions, waiting] = await Promise.all([
    readCurrentContent(database, entry.id),
    readEntryPublications(database, entry.id),
    readEntryVersions(database, entry.id),
    findWaiting(database, 'content', entry.id),
  ]);
  const nameOf = async (id: bigint | null) => (id === null ? null : { id: String(id), work_name: await staffName(id) });
  const asked = waiting && publications.find(({ approval }) => approval === waiting.id);
  const askedFor = asked && parsePublishedContent(asked.content);
  const last = asked ? await findPublicationFor(database, entry.id, asked.audience) : null;
  return {
    ...(await itemOf(module, entry, standing, publications, waiting !== null, now)),
    settings: standing.settings,
    texts: await Promise.all(
      standing.parts.flatMap(({ part, content, n, made_by, made_at }) => {
        const lang = CONTENT_LANGUAGES.find((language) => language === part);
        const words = JSON.parse(content) as ContentWords;
        return lang
          ? [nameOf(made_by).then((by) => ({ lang, ...words, version: n, by, at: made_at.toISOString() }))]
          : [];
      }),
    ),
    checks: checkContent(entry.kind, standing, brand.locale),
    versions: await Promise.all(
      versions.map(async ({ n, part, made_by, made_at }) => ({
        version: n,
        part,
        by: await nameOf(made_by),
        at: made_at.toISOString(),
      })),
    ),
    publications: await Promise.all(
      publications.map(async (row) => ({
        id: row.id,
        version: row.version,
        audience: row.audience,
        from: row.from_at.toISOString(),
        to: row.to_at?.toISOString() ?? null,
        people: row.people,
        made_by: await nameOf(row.made_by),
        made_at: row.made_at.toISOString(),
        published_at: row.published_at?.toISOString() ?? null,
        taken_down_at: row.taken_down_at?.toISOString() ?? null,
        taken_down_by: await nameOf(row.taken_down_by),
      })),
    ),
    people: peopleForContent(entry.kind, 'all', standing.texts),
    values: valuesOf(module, entry),
    notice_days: noticeOf(entry),
    fingerprint: contentDigestOf(standing),
    waiting:
      waiting && asked && askedFor && waiting.made_by !== null
        ? {
            approval: waiting.id,
            fingerprint: waiting.fingerprint.toString('hex'),
            made_by: { id: String(waiting.made_by), work_name: waiting.made_by_name ?? '' },
            audience: asked.audience,
            from: asked.from_at.toISOString(),
            to: asked.to_at?.toISOString() ?? null,
            settings: askedFor.settings,
            texts: listOf(askedFor),
            published: last && publishedOf(last),
          }
        : null,
  };
}
