import { BOOK_TEXTS, useTextsOf } from '../corrections/texts.ts';
import en from './en.json';
import th from './th.json';

const TEXTS = { en: { ...BOOK_TEXTS.en, ...en }, th: { ...BOOK_TEXTS.th, ...th } };

/** The sentences of disputes about money, with those of the books, which other pages load without these. */
export const useMoneyDisputeTexts = () => useTextsOf<keyof typeof TEXTS.en>(TEXTS);
