import { BOOK_TEXTS, textsOf } from '../corrections/texts.ts';
import en from './en.json';
import th from './th.json';

/** The sentences of disputes about money, with those of the books, which other pages load without these. */
export const useMoneyDisputeTexts = textsOf<keyof typeof en | keyof (typeof BOOK_TEXTS)['en']>({
  en: { ...BOOK_TEXTS.en, ...en },
  th: { ...BOOK_TEXTS.th, ...th },
});
