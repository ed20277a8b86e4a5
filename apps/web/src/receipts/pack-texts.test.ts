import { describe, expect, it } from 'vitest';
import { packTextsIntoLists } from './pack-texts.ts';

const FORM_BYTES = 64 * 1024;
const read = (lists: readonly string[]) => lists.map((list) => JSON.parse(list) as unknown[]);

describe('packTexts', () => {
  it('keeps all texts in order, in lists that fit into a form', () => {
    const texts = Array.from({ length: 40 }, (_, n) => ({ n: String(n), ticks: '{"quoted":"ก"}'.repeat(200) }));
    const lists = packTextsIntoLists(texts);
    expect(read(lists).flat()).toEqual(texts);
    expect(lists.length).toBeGreaterThan(1);
    for (const list of lists)
      expect(new URLSearchParams({ texts: list }).toString().length).toBeLessThanOrEqual(FORM_BYTES);
  });

  it('sends at most fifty at once', () => {
    expect(read(packTextsIntoLists(Array.from({ length: 120 }, (_, n) => n))).map(({ length }) => length)).toEqual([
      50, 50, 20,
    ]);
  });

  it('returns no list for no texts, and a list of its own for a text that is too long', () => {
    expect(packTextsIntoLists([])).toEqual([]);
    expect(read(packTextsIntoLists(['a', 'b'.repeat(90_000), 'c'])).map(({ length }) => length)).toEqual([1, 1, 1]);
  });
});
