import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { isPluralToken } from './format-message.ts';
import { LANGUAGES, type Language } from './language.ts';
import type { CompiledCatalogue } from './texts.ts';

/** A file per area: each key once, with its ICU message in every language. */
export const CATALOGUES_FOLDER = join(import.meta.dirname, 'catalogues');

export type Catalogue = Readonly<Record<string, string>>;
type AreaFile = Readonly<Record<string, Readonly<Record<Language, string>>>>;

const ENDING = '.json';

export function listCatalogueAreas(): string[] {
  return readdirSync(CATALOGUES_FOLDER)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .sort();
}

const areas = new Map<string, AreaFile>();

function readFile(area: string): AreaFile {
  const known = areas.get(area);
  if (known) return known;
  const file = join(CATALOGUES_FOLDER, `${area}${ENDING}`);
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isAreaFile(parsed)) throw new Error(`${file} has a key without its text in each language`);
  areas.set(area, parsed);
  return parsed;
}

/** Clears the cache, so that the next use reads the files again. */
export function forgetCatalogueAreas(): void {
  areas.clear();
}

export function readCatalogueArea(area: string, language: Language): Catalogue {
  return Object.fromEntries(Object.entries(readFile(area)).map(([key, texts]) => [key, texts[language]]));
}

/** Merges the areas. A key belongs to one area; the same key in two of them throws. */
export function readCatalogue(language: Language, areas: readonly string[]): Catalogue {
  const merged: Record<string, string> = {};
  for (const area of areas) {
    for (const [key, message] of Object.entries(readCatalogueArea(area, language))) {
      if (Object.hasOwn(merged, key)) throw new Error(`${key} is in ${area} and in another area`);
      merged[key] = message;
    }
  }
  return merged;
}

/** Throws, naming the key, if a message is not valid ICU or uses more than values and plurals. */
export function compileCatalogue(catalogue: Catalogue): CompiledCatalogue {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, message]) => {
      try {
        const compiled = compileMessageOrThrow(message);
        assertSayable(compiled);
        return [key, compiled];
      } catch (cause) {
        throw new Error(`${key} is not an ICU message of values and plurals: ${message}`, { cause });
      }
    }),
  );
}

function assertSayable(message: CompiledMessage): void {
  for (const token of message) {
    if (typeof token === 'string' || token[1] === undefined) continue;
    if (!isPluralToken(token)) throw new TypeError(`it has a ${token[1]}`);
    for (const choice of Object.values(token[2])) if (Array.isArray(choice)) assertSayable(choice);
  }
}

function isAreaFile(value: unknown): value is AreaFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (texts) =>
        typeof texts === 'object' && texts !== null && LANGUAGES.every((each) => typeof texts[each] === 'string'),
    )
  );
}
