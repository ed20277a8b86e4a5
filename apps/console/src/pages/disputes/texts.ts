import { OwnSentences, useOwnTexts } from '../../parts/texts/use-own-texts.ts';
import type bookTexts from '../corrections/texts.json';
import bookEn from '../corrections/texts.json?en';
import type texts from './texts.json';
import en from './texts.json?en';

type Sentences = Readonly<Record<keyof typeof bookTexts | keyof typeof texts, string>>;

const sentences = new OwnSentences({ ...bookEn, ...en } as Sentences, async () => {
  const [books, disputes] = await Promise.all([import('../corrections/texts.json?th'), import('./texts.json?th')]);
  return { default: { ...books.default, ...disputes.default } as Sentences };
});

/** Returns the texts about money disputes and the records that they concern. */
export function useMoneyDisputeTexts() {
  const { say, word } = useOwnTexts(sentences);
  return { b: say, word };
}
