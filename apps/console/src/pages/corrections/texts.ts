import { OwnSentences, useOwnTexts } from '../../parts/texts/use-own-texts.ts';
import type texts from './texts.json';
import en from './texts.json?en';

const sentences = new OwnSentences<keyof typeof texts>(en, () => import('./texts.json?th'));

export function useCorrectionTexts() {
  const { say, word } = useOwnTexts(sentences);
  return { b: say, word };
}
