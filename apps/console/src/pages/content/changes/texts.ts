import { OwnSentences, useOwnTexts } from '../../../parts/texts/use-own-texts.ts';
import en from './en.json';

const sentences = new OwnSentences(en, () => import('./th.json'));
export const useChangeTexts = () => useOwnTexts(sentences).say;
