import { createHash } from 'node:crypto';
import { CONTENT_LANGUAGES, type ContentWords, parseMarks, readRichText } from '@sathorn/api';
import type { Database, Queries } from '../database/index.ts';
import { canonicalOf, NO_SETTINGS, type Published } from './contents.ts';
import {
  insertEntryRow,
  insertPublicationRow,
  insertVersionRow,
  lockEntryRow,
  publicationsOf,
} from './contents-store.ts';
import { FIRST_ENTRIES, FIRST_TEXTS, type FirstEntry } from './first/entries.ts';
import { standingOf } from './view-content.ts';

/** They are there from the beginning, whenever the software was started. */
const SINCE = new Date('2026-01-01T00:00:00Z');

const idOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest().subarray(0, 12).toString('base64url');

/** What is shipped for this entry, read as strictly as what an operator types. */
export function shippedContent({ name, settings }: FirstEntry): Published {
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

/** A text that no operator has touched follows the software; what they have changed or taken down stays theirs. */
async function ship(queries: Queries, entry: FirstEntry): Promise<void> {
  const id = idOf('shipped', entry.slot ?? entry.name);
  await lockEntryRow(queries, id);
  const isNew = await insertEntryRow(queries, id, entry.kind, null);
  const [publications, standing] = await Promise.all([publicationsOf(queries, id), standingOf(queries, id)]);
  // An operator was first to write the one of this kind, or has written here.
  const isTheirs =
    standing.parts.some(({ made_by }) => made_by !== null) ||
    publications.some(({ taken_down_at }) => taken_down_at !== null);
  if ((!isNew && publications.length === 0) || isTheirs) return;
  const shipped = shippedContent(entry);
  const content = canonicalOf(shipped);
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
    kind: entry.kind,
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

/** Idempotent; as the owner of the database: the application can't publish without an operator. */
export async function shipContents(owner: Database, mode: 'demo' | 'live'): Promise<void> {
  for (const entry of FIRST_ENTRIES) {
    if (entry.mode !== undefined && entry.mode !== mode) continue;
    await owner.transaction((transaction) => ship(transaction, entry));
  }
}
