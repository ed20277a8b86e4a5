import { fill, type Params, useTexts } from '../../parts/texts/index.ts';
import en from './en.json';
import th from './th.json';

// These pages bring their own sentences, because the console's first file has no room for more.

/** A hook for the sentences of some pages. */
export function textsOf<Key extends string>(sentencesIn: Readonly<Record<'en' | 'th', Readonly<Record<Key, string>>>>) {
  return function useOwnTexts() {
    const { language } = useTexts();
    const sentences = sentencesIn[language];
    return {
      b: (key: Key, params?: Params): string => fill(sentences[key], params),
      /** The sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
      word: (prefix: string, code: string): string =>
        (sentences as Readonly<Record<string, string>>)[`${prefix}.${code}`] ?? code.replaceAll('_', ' '),
    };
  };
}

export const BOOK_TEXTS = { en, th } as const;
export const useBookTexts = textsOf<keyof typeof en>(BOOK_TEXTS);
