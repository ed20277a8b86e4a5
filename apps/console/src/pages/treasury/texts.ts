import { OwnSentences, useOwnTexts } from '../../parts/texts/use-own-texts.ts';
import type texts from './texts.json';
import en from './texts.json?en';

export type TreasurySentence = keyof typeof texts;
const sentences = new OwnSentences<TreasurySentence>(en, () => import('./texts.json?th'));
export const useTreasuryTexts = () => useOwnTexts(sentences);
