import { THAI_COMPOUNDS } from '@sathorn/text';

/** Matches an app's Thai words, whose compounds may contain characters that prevent line breaks. */
export function bound(words: string | RegExp): RegExp {
  const source = typeof words === 'string' ? words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : words.source;
  return new RegExp(
    THAI_COMPOUNDS.reduce(
      (joined, cut) => joined.replaceAll(cut.replaceAll('|', ''), cut.replaceAll('|', '\u2060?')),
      source,
    ),
    typeof words === 'string' ? '' : words.flags,
  );
}
