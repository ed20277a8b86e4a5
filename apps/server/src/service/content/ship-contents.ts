import { createHash } from 'node:crypto';
import { CONTENT_LANGUAGES, type ContentKind, type ContentWords, parseMarks, readRichText } from '@sathorn/api';
import type { Database, Queries } from '../../platform/database/index.ts';
import { canonicalContentOf, NO_SETTINGS, type PublishedContent } from './contents.ts';
import {
  insertEntryRow,
  insertPublicationRow,
  insertVersionRow,
  lockEntryRow,
  readEntryPublications,
} from './contents-store.ts';
import { FIRST_ENTRIES, FIRST_TEXTS, type FirstEntry } from './first/entries.ts';
import { kindOfRules, RULES_SUBJECTS, shippedRules } from './rules.ts';
import { readCurrentContent } from './view-content.ts';

/** A fixed date, so that shipped entries do not depend on the time of the first start. */
const SINCE = new Date('2026-01-01T00:00:00Z');

const idOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest().subarray(0, 12).toString('base64url');

/** The shipped content of this entry, validated like an operator's input. */
export function shippedContent({ name, settings }: FirstEntry): PublishedContent {
  return {
    settings: { ...NO_SETTINGS, ...settings },
    texts: Object.fromEntries(
      CONTENT_LANGUAGES.map((language) => {
        const { title, summary = '', body = [] } = FIRST_TEXTS[language][name];
        const read = readRichText(JSON.stringify(parseMarks(body.join('\n\n'))));
        if (!read.ok) throw new Error(`the shipped text ${name} in ${language} is refused: ${read.refusal}`);
        return [language, { title, summary, body: read.tree as ContentWords['body'] }];
      }),
    ),
  };
}

/** Updates a text with the software, unless an operator has changed it or taken it down. */
async function ship(queries: Queries, slot: string, kind: ContentKind, shipped: PublishedContent): Promise<void> {
  const id = idOf('shipped', slot);
  await lockEntryRow(queries, id);
  const isNew = await insertEntryRow(queries, id, kind, null);
  const [publications, standing] = await Promise.all([
    readEntryPublications(queries, id),
    readCurrentContent(queries, id),
  ]);
  // True if an operator wrote the single entry of this kind first, or has changed this entry.
  const isTheirs =
    standing.parts.some(({ made_by }) => made_by !== null) ||
    publications.some(({ taken_down_at }) => taken_down_at !== null);
  if ((!isNew && publications.length === 0) || isTheirs) return;
  const content = canonicalContentOf(shipped);
  if (publications[0]?.content === content) return;

  let { version } = standing;
  version += 1;
  await insertVersionRow(queries, id, version, 'settings', shipped.settings, null);
  for (const language of CONTENT_LANGUAGES) {
    const words = shipped.texts[language];
    if (words === undefined) continue;
    version += 1;
    await insertVersionRow(queries, id, version, language, words, null);
  }
  await insertPublicationRow(queries, {
    id: idOf('shipped', id, content),
    entry: id,
    kind,
    content,
    version,
    audience: 'all',
    from: SINCE,
    to: null,
    people: 1,
    approval: null,
    madeBy: null,
    publishedAt: new Date(),
  });
}

/** Idempotent. Runs as the database's owner, because the application can't publish without an operator. */
export async function shipContents(owner: Database, mode: 'demo' | 'live'): Promise<void> {
  for (const entry of FIRST_ENTRIES) {
    if (entry.mode !== undefined && entry.mode !== mode) continue;
    await owner.transaction((transaction) =>
      ship(transaction, entry.slot ?? entry.name, entry.kind, shippedContent(entry)),
    );
  }
  for (const of of RULES_SUBJECTS) {
    const texts = Object.fromEntries(CONTENT_LANGUAGES.map((language) => [language, shippedRules(of, language)]));
    const kind = kindOfRules(of);
    await owner.transaction((transaction) => ship(transaction, kind, kind, { settings: NO_SETTINGS, texts }));
  }
}
