import { fill, type Params, useTexts } from '../../parts/texts/index.ts';
import en from './en.json';
import th from './th.json';

// These pages bring their own sentences, because the console's first file has no room for more.
type Key = keyof typeof en;
const SENTENCES: Readonly<Record<'en' | 'th', Readonly<Record<Key, string>>>> = { en, th };

export function useBookTexts() {
  const { language } = useTexts();
  const sentences = SENTENCES[language];
  return {
    b: (key: Key, params?: Params): string => fill(sentences[key], params),
    /** The sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
    word: (prefix: string, code: string): string =>
      (sentences as Readonly<Record<string, string>>)[`${prefix}.${code}`] ?? code.replaceAll('_', ' '),
  };
}
