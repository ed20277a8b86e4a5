import * as v from 'valibot';
import { cleanText } from './fields.ts';

// Operators' texts as a small tree without nesting. It contains no markup that a browser would interpret, so nothing in
// it can run. The server checks the tree when somebody saves it, and the apps render it only with React elements.

export interface RichInline {
  readonly text: string;
  readonly bold?: true | undefined;
  readonly italic?: true | undefined;
  /** A page of the app, or an https address of a listed host. */
  readonly link?: string | undefined;
}
export type RichBlock =
  | { readonly kind: 'paragraph' | 'heading'; readonly inlines: readonly RichInline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly RichInline[])[] }
  | { readonly kind: 'picture'; readonly id: string; readonly alt: string }
  /** The first row is the table head. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly RichInline[])[])[] };
export type RichText = readonly RichBlock[];

const BLOCKS_MAX = 60;
const INLINES_MAX = 60;
const ITEMS_MAX = 30;
const CELLS_MAX = 5;
const ALT_MAX = 200;
/** Applies to all texts of a tree together. A Thai letter takes nine bytes in a form, and a form has at most 64 kB. */
export const CHARACTERS_MAX = 5_000;
/** Checked before parsing. It leaves room for the tree's braces and names. */
const JSON_MAX = 30_000;

/** Hosts of authorities and of public randomness. Other hosts are not allowed, because they could imitate our own. */
const LINK_HOSTS: ReadonlySet<string> = new Set([
  'www.sec.or.th',
  'market.sec.or.th',
  'www.bot.or.th',
  'www.1213.or.th',
  'www.amlo.go.th',
  'drand.love',
  'docs.drand.love',
  'etherscan.io',
  'www.iosco.org',
]);

const PAGE =
  /^\/pages\/[A-Za-z-]+(?:\/[A-Za-z_-]+){1,3}(?:\?[A-Za-z0-9_-]+=[A-Za-z0-9_.-]*(?:&[A-Za-z0-9_-]+=[A-Za-z0-9_.-]*)*)?$/;
const HTTPS = /^https:\/\/[\x21-\x7e]+$/;
const LINK_MAX = 300;

/**
 * Returns the kind of a link's target; null for any other scheme, such as `javascript:`. The apps check it again before
 * they render a link.
 */
export function linkKind(link: string): 'page' | 'https' | null {
  if (link.length > LINK_MAX) return null;
  if (PAGE.test(link)) return 'page';
  // Browsers treat a backslash as a slash, and `user@` before the host disguises the real host.
  if (!HTTPS.test(link) || /[\\@<>"'`]/.test(link) || !URL.canParse(link)) return null;
  const { protocol, hostname, port, username, password } = new URL(link);
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '';
  return isPlain && LINK_HOSTS.has(hostname) ? 'https' : null;
}

/** `@name` is a picture that ships with the app; anything else is the id of an uploaded picture. */
export const PICTURE_ID = /^(?:@[a-z][a-z0-9-]{1,40}|[A-Za-z0-9_-]{22})$/;
export const isPictureId = (id: string): boolean => PICTURE_ID.test(id);
export const pictureUrl = (id: string): string =>
  id.startsWith('@') ? `/pictures/${id.slice(1)}.svg` : `/pictures/content/${id}.webp`;

const mark = v.optional(v.literal(true));
const inline = v.strictObject({ text: v.string(), bold: mark, italic: mark, link: v.optional(v.string()) });
const inlines = v.pipe(v.array(inline), v.maxLength(INLINES_MAX));
const block = v.variant('kind', [
  v.strictObject({ kind: v.literal('paragraph'), inlines }),
  v.strictObject({ kind: v.literal('heading'), inlines }),
  v.strictObject({
    kind: v.literal('list'),
    ordered: v.boolean(),
    items: v.pipe(v.array(inlines), v.minLength(1), v.maxLength(ITEMS_MAX)),
  }),
  v.strictObject({
    kind: v.literal('picture'),
    id: v.pipe(v.string(), v.regex(PICTURE_ID)),
    alt: v.pipe(v.string(), v.maxLength(ALT_MAX)),
  }),
  v.strictObject({
    kind: v.literal('table'),
    rows: v.pipe(
      v.array(v.pipe(v.array(inlines), v.minLength(1), v.maxLength(CELLS_MAX))),
      v.minLength(1),
      v.maxLength(ITEMS_MAX),
    ),
  }),
]);
export const richText = v.pipe(v.array(block), v.maxLength(BLOCKS_MAX));

const inlinesOf = (one: RichBlock): readonly (readonly RichInline[])[] => {
  if (one.kind === 'picture') return [];
  if (one.kind === 'list') return one.items;
  return one.kind === 'table' ? one.rows.flat() : [one.inlines];
};
const textOf = (some: readonly RichInline[]): string => some.map(({ text }) => text).join('');

/** All inlines of a tree, in order. */
export const allInlines = (tree: RichText): RichInline[] => tree.flatMap((one) => inlinesOf(one).flat());

/** Returns the words without formatting: an empty line separates blocks, a line break separates items and cells. */
export function plainText(tree: RichText): string {
  return tree
    .map((one) => (one.kind === 'picture' ? one.alt : inlinesOf(one).map(textOf).join('\n')))
    .filter(Boolean)
    .join('\n\n');
}

const cleanInlines = (some: readonly RichInline[]): RichInline[] =>
  some.flatMap(({ text, bold, italic, link }) => {
    const cleaned = cleanText(text).replaceAll('\n', ' ');
    if (cleaned === '') return [];
    return [{ text: cleaned, ...(bold && { bold }), ...(italic && { italic }), ...(link && { link }) }];
  });

function cleanBlock(one: RichBlock): RichBlock | null {
  switch (one.kind) {
    case 'picture':
      return { kind: 'picture', id: one.id, alt: cleanText(one.alt).replaceAll('\n', ' ').trim() };
    case 'list': {
      const items = one.items.map(cleanInlines).filter((item) => item.length > 0);
      return items.length === 0 ? null : { kind: 'list', ordered: one.ordered, items };
    }
    case 'table': {
      const width = Math.max(...one.rows.map((row) => row.length));
      const rows = one.rows.map((row) => Array.from({ length: width }, (_, n) => cleanInlines(row[n] ?? [])));
      return rows.every((row) => row.every((cell) => cell.length === 0)) ? null : { kind: 'table', rows };
    }
    default: {
      const kept = cleanInlines(one.inlines);
      return kept.length === 0 ? null : { kind: one.kind, inlines: kept };
    }
  }
}

type RichTextRefusal = 'markup_refused' | 'link_refused' | 'text_too_long';
type ReadRichText =
  | { readonly ok: true; readonly tree: RichText }
  | { readonly ok: false; readonly refusal: RichTextRefusal };

const refuse = (refusal: RichTextRefusal): ReadRichText => ({ ok: false, refusal });

/** Checks a tree from outside. The result contains only the fields above, without control and bidi characters. */
export function readRichText(json: string): ReadRichText {
  if (json.length > JSON_MAX) return refuse('text_too_long');
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return refuse('markup_refused');
  }
  const read = v.safeParse(richText, parsed);
  if (!read.success) return refuse('markup_refused');
  const tree = read.output.map(cleanBlock).filter((one) => one !== null);
  if (allInlines(tree).some(({ link }) => link !== undefined && linkKind(link) === null)) return refuse('link_refused');
  return [...plainText(tree)].length > CHARACTERS_MAX ? refuse('text_too_long') : { ok: true, tree };
}
