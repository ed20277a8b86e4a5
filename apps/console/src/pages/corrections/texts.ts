import { useOwnTexts } from '../../parts/texts/use-own-texts.ts';
import en from './en.json';
import th from './th.json';

const SENTENCES = { en, th };

export function useBookTexts() {
  const { say, word } = useOwnTexts(SENTENCES);
  return { b: say, word };
}
