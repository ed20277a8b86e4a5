import { expect, test } from 'vitest';
import { keepCatalogueWhole, keepWordsWhole, THAI_COMPOUNDS } from './whole-words.ts';

test('keeps a Thai compound on one line, and changes nothing else', () => {
  expect(keepWordsWhole('ในแต่ละคำสั่ง')).toBe('ในแต่ละคำ\u2060สั่ง');
  expect(keepWordsWhole('each order, 100 USDT')).toBe('each order, 100 USDT');
});

test('keeps the number of a deposit or a withdrawal on one line', () => {
  expect(keepWordsWhole('وصل سحبك ⁨W-261129-7K3M9QXA⁩.')).toBe('وصل سحبك ⁨W-\u2060261129-\u20607K3M9QXA⁩.');
  for (const other of ['2026-11-29', 'A-261129-X', 'D-26', 'post-only']) expect(keepWordsWhole(other)).toBe(other);
});

test('keeps compounds whole in a sentence of an app, but not in a label', () => {
  const label = 'ตรวจสอบ';
  const sentence = 'ซื้อขายแล้วตรวจสอบผลได้ด้วยตนเอง {count}';
  expect(keepCatalogueWhole({ label, sentence })).toEqual({
    label,
    sentence: 'ซื้อ\u2060ขายแล้วตรวจ\u2060สอบผลได้ด้วย\u2060ตนเอง {count}',
  });
});

test('no compound contains another one, so none is joined twice', () => {
  const words = THAI_COMPOUNDS.map((cut) => cut.replaceAll('|', ''));
  for (const word of words) expect(words.filter((other) => other.includes(word))).toEqual([word]);
});

test('a line cannot break inside a joined word', () => {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
  for (const cut of THAI_COMPOUNDS) {
    const inside = [...segmenter.segment(cut.replaceAll('|', ''))].map(({ index }) => index).slice(1);
    const bound = [...cut].flatMap((letter, at) =>
      letter === '|' ? [at - cut.slice(0, at).split('|').length + 1] : [],
    );
    expect(bound, cut).toEqual(expect.arrayContaining(inside));
  }
});
