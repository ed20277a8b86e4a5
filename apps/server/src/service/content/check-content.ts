import { CONTENT_LANGUAGES, type ContentEntry, type ContentKind, type ContentLanguage, plainText } from '@sathorn/api';
import { areFiguresTyped, isOneLineKind, linksOf, type PublishedContent, peopleForContent } from './contents.ts';
import { findPromises } from './find-promises.ts';
import { faultsOfRules, rulesOfKind } from './rules.ts';

type Check = ContentEntry['checks'][number];

/** Clock times and days, which a translation must not change. Other numbers may be formatted differently. */
const TIME = /(?<![0-9.])[0-9]{1,2}(?::[0-9]{2}(?![0-9])|\.[0-9]{2}(?=\s?น))/g;
const DIGITS = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '๐๑๒๓๔๕๖๗๘๙', '０１２３４５６７８９'];
const latin = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const set = DIGITS.find((digits) => digits.includes(digit));
    return set ? String(set.indexOf(digit)) : digit;
  });
const timesOf = (text: string): string =>
  [...new Set(latin(text).replaceAll('：', ':').match(TIME) ?? [])]
    .map((time) => time.replace('.', ':'))
    .sort()
    .join(' ');

/** The faults that prevent publishing these texts, and the warnings for their authors. */
export function checkContent(kind: ContentKind, { settings, texts }: PublishedContent, own: ContentLanguage): Check[] {
  const checks: Check[] = [];
  const add = (code: Check['code'], ok: boolean, blocks: boolean, lang: string | null = null, words: string[] = []) =>
    checks.push({ code, ok, blocks, lang, words });

  for (const language of CONTENT_LANGUAGES) {
    const words = texts[language];
    if (words === undefined) {
      // The other languages fall back to the text in the brand's own language.
      add('language_missing', false, true, language);
      continue;
    }
    const said = [words.title, words.summary, plainText(words.body)].join('\n');
    const promises = findPromises(said);
    if (promises.length > 0) add('promise_in_text', false, true, language, promises);
    if (!isOneLineKind(kind) && words.body.length === 0) add('body_missing', false, true, language);
    if ((kind === 'activity' || kind === 'welfare') && words.summary === '')
      add('summary_missing', false, false, language);
  }
  if (checks.every(({ code }) => code !== 'promise_in_text')) add('promise_in_text', true, true);
  const times = Object.entries(texts).map(([language, words]) => ({
    language,
    times: timesOf([words.title, words.summary, plainText(words.body)].join('\n')),
  }));
  const wanted = times.find(({ language }) => language === own)?.times ?? times[0]?.times ?? '';
  const differing = times.filter((one) => one.times !== wanted).map(({ language }) => language);
  if (times.length > 1)
    add(
      'times_differ',
      differing.length === 0,
      false,
      null,
      differing.length > 0 ? differing : wanted.split(' ').filter(Boolean),
    );
  add('links', true, true, null, [...new Set([...linksOf(texts), ...(settings.link ? [settings.link] : [])])]);
  const of = rulesOfKind(kind);
  if (of !== null)
    for (const [language, words] of Object.entries(texts)) {
      const { missing, unknown, figures } = faultsOfRules(of, words);
      const braced = (names: readonly string[]) => names.map((name) => `{${name}}`);
      if (missing.length > 0) add('value_missing', false, true, language, braced(missing));
      if (unknown.length > 0) add('value_unknown', false, true, language, braced(unknown));
      if (figures.length > 0) add('figure_typed', false, true, language, figures);
    }
  if (areFiguresTyped(texts)) add('figures', true, false);
  add('second_person', peopleForContent(kind, 'all', texts) === 1, false);
  return checks;
}
