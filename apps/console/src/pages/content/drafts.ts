import {
  CONTENT_LANGUAGES,
  type ContentEntry,
  type ContentKind,
  type ContentLanguage,
  parseMarks,
  type RichText,
  SINGLE_KINDS,
  writeMarks,
} from '@sathorn/api';

/** The unsaved text of one language. */
export interface Draft {
  readonly title: string;
  readonly summary: string;
  /** The body as typed, with marks such as `**bold**`. */
  readonly marks: string;
}
export type Drafts = Readonly<Record<ContentLanguage, Draft>>;
export const EMPTY_DRAFT: Draft = { title: '', summary: '', marks: '' };

export const CONTENT_LANGUAGE_NAMES: Readonly<Record<ContentLanguage, string>> = {
  th: 'ไทย',
  en: 'English',
  zh: '中文',
  jp: '日本語',
  ar: 'العربية',
  hi: 'हिन्दी',
};
export const languageTagOf = (language: ContentLanguage): string => (language === 'jp' ? 'ja' : language);
export const textDirectionOf = (language: ContentLanguage): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr');

export function draftsOf(
  texts: readonly { lang: ContentLanguage; title: string; summary: string; body: RichText }[],
): Drafts {
  return Object.fromEntries(
    CONTENT_LANGUAGES.map((language) => {
      const text = texts.find(({ lang }) => lang === language);
      return [
        language,
        text ? { title: text.title, summary: text.summary, marks: writeMarks(text.body) } : EMPTY_DRAFT,
      ];
    }),
  ) as Record<ContentLanguage, Draft>;
}

export const isSameDraft = (a: Draft, b: Draft): boolean =>
  a.title === b.title && a.summary === b.summary && a.marks.trim() === b.marks.trim();

export const richTextOfDraft = (draft: Draft): RichText => parseMarks(draft.marks);

export const kindHasBody = (kind: ContentKind): boolean =>
  kind !== 'banner' && kind !== 'scroll_notice' && kind !== 'share';
export const kindHasSummary = (kind: ContentKind): boolean =>
  kind === 'banner' || kind === 'activity' || kind === 'welfare';
export const kindHasSettings = (kind: ContentKind): boolean =>
  kindHasSummary(kind) || kind === 'intro' || kind === 'company' || kind === 'about';
export const isSingleKind = (kind: ContentKind): boolean => (SINGLE_KINDS as readonly string[]).includes(kind);
export const isRulesKind = (kind: ContentKind): boolean => kind.startsWith('rules_');

/** Returns the computed values that a text of rules may use. */
export const ruleValuesOf = (entry: ContentEntry | null, language: ContentLanguage): Readonly<Record<string, string>> =>
  entry?.values?.find(({ lang }) => lang === language)?.values ?? {};

/** Returns the state of a language: its text is missing, has warnings, or is ready. */
export function draftStateOf(entry: ContentEntry | null, language: ContentLanguage): 'missing' | 'warn' | 'ok' {
  if (!entry?.texts.some(({ lang }) => lang === language)) return 'missing';
  return entry.checks.some(({ ok, lang }) => !ok && lang === language) ? 'warn' : 'ok';
}
