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
import { type Canonical, canonical } from '@sathorn/proof';

export type Texts = Partial<Record<ContentLanguage, ContentWords>>;

/** The published content. A second person approves exactly these texts. */
export interface Published {
  readonly settings: ContentSettings;
  readonly texts: Texts;
}

export const NO_SETTINGS: ContentSettings = { picture: '', link: '', place: 'home' };

export const isSingle = (kind: ContentKind): boolean => (SINGLE_KINDS as readonly string[]).includes(kind);
/** Kinds whose text is one line, without a body. */
export const isLine = (kind: ContentKind): boolean => kind === 'banner' || kind === 'scroll_notice' || kind === 'share';

export type Audience =
  | { readonly to: 'all' }
  | { readonly to: 'level'; readonly level: number }
  | { readonly to: 'customer'; readonly customer: bigint };

export function parseAudience(text: string): Audience {
  const [to, which = ''] = text.split(':');
  if (to === 'level') return { to, level: Number(which) };
  return to === 'customer' ? { to, customer: BigInt(which) } : { to: 'all' };
}

/** Every character that the database function `content.has_figures` finds in the normalised text, and a few more. */
const FIGURE = /[\p{N}%‰‱٪؉؊]/u;

/** True if a text contains a figure. It could be read as a promise, so a second person must approve it. */
export function hasFigures(texts: Texts): boolean {
  return Object.values(texts).some((words) =>
    [words.title, words.summary, plainText(words.body)].some((said) => FIGURE.test(said.normalize('NFKC'))),
  );
}

/** How many people must decide, including the author. The database requires the same number. */
export function peopleFor(kind: ContentKind, audience: string, texts: Texts): 1 | 2 {
  if (isSingle(kind)) return 2;
  if (kind === 'notice') return audience.startsWith('customer:') ? 1 : 2;
  return hasFigures(texts) ? 2 : 1;
}

export function canonicalOf({ settings, texts }: Published): string {
  return canonical({ settings, texts } as unknown as Canonical);
}

export const parsePublished = (content: string): Published => JSON.parse(content) as Published;

export const languagesOf = (texts: Texts): ContentLanguage[] =>
  CONTENT_LANGUAGES.filter((language) => texts[language] !== undefined);

/** The text in this language, otherwise in the brand's own language, otherwise in English. */
export function wordsIn(texts: Texts, language: string, own: ContentLanguage): ContentWords | undefined {
  return texts[language as ContentLanguage] ?? texts[own] ?? texts.en ?? Object.values(texts)[0];
}

/** All uploaded pictures that the texts and settings name. */
export function picturesIn({ settings, texts }: Published): string[] {
  const named = [settings.picture];
  for (const { body } of Object.values(texts)) for (const one of body) if (one.kind === 'picture') named.push(one.id);
  return named.filter((id) => id !== '' && !id.startsWith('@'));
}

export const linksIn = (texts: Texts): string[] =>
  Object.values(texts).flatMap(({ body }) => allInlines(body).flatMap(({ link }) => link ?? []));
