import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Language } from './language.ts';
import { isPlural } from './say-message.ts';
import type { CompiledCatalogue } from './texts.ts';

/** One folder per area with one JSON file per language: a flat object from key to ICU message. */
export const CATALOGUES_FOLDER = join(import.meta.dirname, 'catalogues');

export type Catalogue = Readonly<Record<string, string>>;

export function listAreas(): string[] {
  return readdirSync(CATALOGUES_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function catalogueFile(area: string, language: Language): string {
  return join(CATALOGUES_FOLDER, area, `${language}.json`);
}

export function readArea(area: string, language: Language): Catalogue {
  const file = catalogueFile(area, language);
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isCatalogue(parsed)) throw new Error(`${file} is not a flat object of texts`);
  return parsed;
}

/** Merges the areas. A key belongs to one area; the same key in two of them throws. */
export function readCatalogue(language: Language, areas: readonly string[]): Catalogue {
  const merged: Record<string, string> = {};
  for (const area of areas) {
    for (const [key, message] of Object.entries(readArea(area, language))) {
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
    if (!isPlural(token)) throw new TypeError(`it has a ${token[1]}`);
    for (const choice of Object.values(token[2])) if (Array.isArray(choice)) assertSayable(choice);
  }
}

function isCatalogue(value: unknown): value is Catalogue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((message) => typeof message === 'string')
  );
}
