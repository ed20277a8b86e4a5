import { useTexts } from '../../parts/texts/index.ts';
import en from './en.json';
import th from './th.json';

// These parts bring their own sentences, because the console's first file has no room for more.
type Key = keyof typeof en;
const SENTENCES: Readonly<Record<'en' | 'th', Readonly<Record<Key, string>>>> = { en, th };

export function useNetworkTexts() {
  const { language } = useTexts();
  const sentences = SENTENCES[language];
  return (key: Key): string => sentences[key];
}
