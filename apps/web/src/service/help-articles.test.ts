import { expect, test } from 'vitest';
import { SCREENS } from '../paths.ts';
import { findArticles, HELP_GROUPS } from './help-articles.ts';

const articles = [
  { title: 'How long does a withdrawal take?', body: 'Before you confirm you see the fee.' },
  { title: 'ถอนเงินใช้เวลาเท่าไร', body: 'ก่อนยืนยัน คุณเห็นค่าธรรมเนียม' },
  { title: 'What is the fee?', body: 'It is shown before you confirm a Withdrawal.' },
  { title: 'كيف أسحب؟', body: 'قبل التأكيدِ تظهر الرسوم' },
];
const titles = (query: string) => findArticles(articles, query).map(({ title }) => title);

test('finds what contains every word, in the title first, whatever the case and in every script', () => {
  expect(titles('FEE')).toEqual(['What is the fee?', 'How long does a withdrawal take?']);
  expect(titles('withdrawal  fee')).toEqual(['How long does a withdrawal take?', 'What is the fee?']);
  expect(titles('ค่าธรรมเนียม')).toEqual(['ถอนเงินใช้เวลาเท่าไร']);
  expect(titles('التأكيد')).toEqual(['كيف أسحب؟']);
  expect(titles('nothing of it')).toEqual([]);
  expect(titles(' ')).toHaveLength(4);
});

test('every question leads to a page of the app', () => {
  const paths = new Set<string>(SCREENS.map(({ path }) => path));
  for (const { path } of HELP_GROUPS.flatMap(({ articles: each }) => [...each])) expect(paths, path).toContain(path);
});
