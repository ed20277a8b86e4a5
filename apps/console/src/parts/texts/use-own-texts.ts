import { fill, type Params, useTexts } from './index.ts';

/** The sentences of one page, which load with it, because the console's first file has little room. */
export function useOwnTexts<Key extends string>(
  languages: Readonly<Record<'en' | 'th', Readonly<Record<Key, string>>>>,
) {
  const { language } = useTexts();
  const sentences = languages[language];
  return {
    say: (key: Key, params?: Params): string => fill(sentences[key], params),
    /** The sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
    word: (prefix: string, code: string, params?: Params): string =>
      fill((sentences as Readonly<Record<string, string>>)[`${prefix}.${code}`] ?? code.replaceAll('_', ' '), params),
  };
}
