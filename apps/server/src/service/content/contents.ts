import {
  allInlines,
  CONTENT_LANGUAGES,
  type ContentKind,
  type ContentLanguage,
  type ContentSettings,
  type ContentWords,
  plainText,
  SINGLE_KINDS,
} from '@sathorn/api';
import { type Canonical, canonicalText } from '@sathorn/proof';

export type ContentTexts = Partial<Record<ContentLanguage, ContentWords>>;

/** The published content. A second person approves exactly these texts. */
export interface PublishedContent {
  readonly settings: ContentSettings;
  readonly texts: ContentTexts;
}

export const NO_SETTINGS: ContentSettings = { picture: '', link: '', place: 'home' };

export const isSingleKind = (kind: ContentKind): boolean => (SINGLE_KINDS as readonly string[]).includes(kind);
/** Kinds whose text is one line, without a body. */
export const isOneLineKind = (kind: ContentKind): boolean =>
  kind === 'banner' || kind === 'scroll_notice' || kind === 'share';

export type NoticeAudience =
  | { readonly to: 'all' }
  | { readonly to: 'level'; readonly level: number }
  | { readonly to: 'customer'; readonly customer: bigint };

export function parseAudience(text: string): NoticeAudience {
  const [to, which = ''] = text.split(':');
  if (to === 'level') return { to, level: Number(which) };
  return to === 'customer' ? { to, customer: BigInt(which) } : { to: 'all' };
}

/** Every character that the database function `content.has_figures` finds in the normalised text, and a few more. */
const FIGURE = /[\p{N}%‰‱٪؉؊]/u;

/** True if a text contains a figure. It could be read as a promise, so a second person must approve it. */
export function areFiguresTyped(texts: ContentTexts): boolean {
  return Object.values(texts).some((words) =>
    [words.title, words.summary, plainText(words.body)].some((said) => FIGURE.test(said.normalize('NFKC'))),
  );
}

/** How many people must decide, including the author. The database requires the same number. */
export function peopleForContent(kind: ContentKind, audience: string, texts: ContentTexts): 1 | 2 {
  if (isSingleKind(kind)) return 2;
  if (kind === 'notice') return audience.startsWith('customer:') ? 1 : 2;
  return areFiguresTyped(texts) ? 2 : 1;
}

export function canonicalContentOf({ settings, texts }: PublishedContent): string {
  return canonicalText({ settings, texts } as unknown as Canonical);
}

export const parsePublishedContent = (content: string): PublishedContent => JSON.parse(content) as PublishedContent;

export const writtenLanguagesOf = (texts: ContentTexts): ContentLanguage[] =>
  CONTENT_LANGUAGES.filter((language) => texts[language] !== undefined);

/** The text in this language, otherwise in the brand's own language, otherwise in English. */
export function wordsInLanguage(texts: ContentTexts, language: string, own: ContentLanguage): ContentWords | undefined {
  return texts[language as ContentLanguage] ?? texts[own] ?? texts.en ?? Object.values(texts)[0];
}

/** All uploaded pictures that the texts and settings name. */
export function pictureIdsOf({ settings, texts }: PublishedContent): string[] {
  const named = [settings.picture];
  for (const { body } of Object.values(texts)) for (const one of body) if (one.kind === 'picture') named.push(one.id);
  return named.filter((id) => id !== '' && !id.startsWith('@'));
}

export const linksOf = (texts: ContentTexts): string[] =>
  Object.values(texts).flatMap(({ body }) => allInlines(body).flatMap(({ link }) => link ?? []));
