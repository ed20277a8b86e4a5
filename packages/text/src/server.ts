import { compileCatalogue, listAreas, readCatalogue } from './catalogue-files.ts';
import { fieldFaultKey, httpStatusKey } from './fault-key.ts';
import { DEFAULT_LANGUAGE, type Language } from './language.ts';
import type { ServerMessageKey } from './message-key.ts';
import { type TextParams, type Texts, textsOf } from './texts.ts';

const texts = new Map<Language, Texts<ServerMessageKey>>();

/** Every area of a language, compiled on first use. */
export function serverTexts(language: Language): Texts<ServerMessageKey> {
  const known = texts.get(language);
  if (known) return known;
  const made = textsOf<ServerMessageKey>(compileCatalogue(readCatalogue(language, listAreas())), { language });
  texts.set(language, made);
  return made;
}

/**
 * The sentence of a key, in Thai where the language lacks it. An unknown key, or a placeholder without a value, throws:
 * the tests hold every language to the same keys, so either is a bug.
 */
export function translate(language: Language, key: ServerMessageKey, params?: TextParams): string {
  const own = serverTexts(language);
  return (own.has(key) ? own : serverTexts(DEFAULT_LANGUAGE)).text(key, params);
}

/** A refusal by its code. For codes known only at run time; with a literal, `translate` checks the key. */
export function refusalText(language: Language, code: string, params?: TextParams): string {
  const key = `refusal.${code}`;
  if (!serverTexts(DEFAULT_LANGUAGE).has(key)) throw new Error(`no text for the refusal ${code}`);
  return translate(language, key, params);
}

/** What is wrong with one field, worded for that field where there is such a sentence. */
export function fieldText(language: Language, fault: string, field: string): string {
  const { has } = serverTexts(language);
  return translate(language, fieldFaultKey(has, fault, field));
}

/** The sentence of an HTTP status other than 200. */
export function httpText(language: Language, status: number): string {
  const { has } = serverTexts(language);
  return translate(language, httpStatusKey(has, status));
}
