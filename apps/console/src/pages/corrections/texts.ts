import { OwnSentences, useOwnTexts } from '../../parts/texts/use-own-texts.ts';
import en from './en.json';

const sentences = new OwnSentences(en, () => import('./th.json'));

export function useBookTexts() {
  const { say, word } = useOwnTexts(sentences);
  return { b: say, word };
}
