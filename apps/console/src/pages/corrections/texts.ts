import { fill, type Params, useTexts } from '../../parts/texts/index.ts';
import en from './en.json';
import th from './th.json';

// These pages bring their own sentences, because the console's first file has no room for more.

type Sentences<Key extends string> = Readonly<Record<'en' | 'th', Readonly<Record<Key, string>>>>;

/** The sentences of some pages in the operator's language. */
export function useTextsOf<Key extends string>(sentencesIn: Sentences<Key>) {
  const { language } = useTexts();
  const sentences = sentencesIn[language];
  return {
    b: (key: Key, params?: Params): string => fill(sentences[key], params),
    /** The sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
    word: (prefix: string, code: string): string =>
      (sentences as Readonly<Record<string, string>>)[`${prefix}.${code}`] ?? code.replaceAll('_', ' '),
  };
}

export const BOOK_TEXTS = { en, th } as const;
export const useBookTexts = () => useTextsOf<keyof typeof en>(BOOK_TEXTS);
