/** Languages by the specification's names; `jp` is Japanese. Thai is the default and the fallback. */
export const LANGUAGES = ['th', 'en', 'zh', 'jp', 'ar', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'th';

export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}
