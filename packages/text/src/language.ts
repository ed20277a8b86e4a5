/** Languages by the specification's names; `jp` is Japanese. Thai is the default and the fallback. */
export const LANGUAGES = ['th', 'en', 'zh', 'jp', 'ar', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'th';

/** The name of each language in that language, for the list of languages. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  th: 'ไทย',
  en: 'English',
  zh: '中文',
  jp: '日本語',
  ar: 'العربية',
  hi: 'हिन्दी',
};

export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}

/**
 * The language of a `lang` header or a browser's language tag: `zh` for every Chinese locale, `jp` also for `ja`,
 * otherwise the locale's first part. Any other language becomes Thai.
 */
export function languageOf(tag: string | undefined): Language {
  const primary =
    (tag ?? '')
      .trim()
      .toLowerCase()
      .split(/[-_,;]/)[0] ?? '';
  if (primary === 'ja') return 'jp';
  return isLanguage(primary) ? primary : DEFAULT_LANGUAGE;
}

export function textDirectionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

const TAGS = { th: 'th-TH', en: 'en', zh: 'zh-CN', jp: 'ja', ar: 'ar', hi: 'hi' } as const satisfies Record<
  Language,
  string
>;

/** BCP 47, for the `lang` attribute. For `Intl` use `intlTagOf`, which also fixes digits and calendar. */
export function localeTagOf(language: Language): string {
  return TAGS[language];
}
