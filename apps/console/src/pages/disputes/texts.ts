import { OwnSentences, useOwnTexts } from '../../parts/texts/use-own-texts.ts';
import bookEn from '../corrections/en.json';
import en from './en.json';

const sentences = new OwnSentences({ ...bookEn, ...en }, async () => {
  const [books, disputes] = await Promise.all([import('../corrections/th.json'), import('./th.json')]);
  return { default: { ...books.default, ...disputes.default } };
});

/** The sentences of disputes about money, and of the books that they are about. */
export function useMoneyDisputeTexts() {
  const { say, word } = useOwnTexts(sentences);
  return { b: say, word };
}
