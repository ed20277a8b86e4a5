import { compileCatalogue, listCatalogueAreas, readCatalogue, readCatalogueArea } from './catalogue-files.ts';
import { fieldFaultKey, httpStatusKey } from './fault-key.ts';
import { DEFAULT_LANGUAGE, type Language } from './language.ts';
import type { ServerMessageKey } from './message-key.ts';
import { intlTagOf, type Presentation } from './presentation.ts';
import { type CompiledCatalogue, openTexts, type TextParams, type Texts } from './texts.ts';

const catalogues = new Map<Language, CompiledCatalogue>();
/** Keyed by language, digits, calendar and the mark of assets. */
const texts = new Map<string, Texts<ServerMessageKey>>();

/** All areas of a language, compiled on first use. */
function catalogueOf(language: Language): CompiledCatalogue {
  const known = catalogues.get(language);
  if (known) return known;
  const made = compileCatalogue(readCatalogue(language, listCatalogueAreas()));
  catalogues.set(language, made);
  return made;
}

export function serverTexts(presentation: Presentation): Texts<ServerMessageKey> {
  const { language, digits, calendar, assetMark } = presentation;
  const tag = `${intlTagOf(presentation)} ${assetMark}`;
  const known = texts.get(tag);
  if (known) return known;
  const made = openTexts<ServerMessageKey>(catalogueOf(language), {
    language,
    ...(digits && { digits }),
    ...(calendar && { calendar }),
    ...(assetMark && { assetMark }),
  });
  texts.set(tag, made);
  return made;
}

/**
 * Returns a key's sentence, or the Thai one if the language lacks it. Throws for an unknown key or a missing value:
 * tests check that every language has the same keys, so either is a bug.
 */
export function translate(language: Language, key: ServerMessageKey, params?: TextParams): string {
  return say({ language }, key, params);
}

function say(presentation: Presentation, key: ServerMessageKey, params?: TextParams): string {
  const own = serverTexts(presentation);
  return (own.has(key) ? own : serverTexts({ ...presentation, language: DEFAULT_LANGUAGE })).text(key, params);
}

/**
 * A refusal's text by its code, with figures in the reader's format. For codes known only at run time; with a literal,
 * `translate` checks the key.
 */
export function refusalText(presentation: Presentation, code: string, params?: TextParams): string {
  const key = `refusal.${code}`;
  if (!serverTexts({ language: DEFAULT_LANGUAGE }).has(key)) throw new Error(`no text for the refusal ${code}`);
  return say(presentation, key, params);
}

/** A refusal's English text with the names of its values, such as `{min}`, for authors of programs. */
export function refusalPattern(code: string): string {
  const text = readCatalogueArea('refusals', 'en')[`refusal.${code}`];
  if (text === undefined) throw new Error(`no text for the refusal ${code}`);
  return text;
}

/** The text for a field's fault, specific to the field if there is one. */
export function fieldFaultText(language: Language, fault: string, field: string): string {
  const { has } = serverTexts({ language });
  return translate(language, fieldFaultKey(has, fault, field));
}

/** The sentence of an HTTP status other than 200. */
export function httpStatusText(language: Language, status: number): string {
  const { has } = serverTexts({ language });
  return translate(language, httpStatusKey(has, status));
}
