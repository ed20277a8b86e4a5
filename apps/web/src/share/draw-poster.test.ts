import { describe, expect, it } from 'vitest';
import { wrapText } from './draw-poster.ts';

const width = (line: string) => [...line].length;

describe('a line of a poster', () => {
  it.each([
    ['en', 'every price is signed', 12, ['every price', 'is signed']],
    ['th', 'ราคาเหรียญ', 5, ['ราคา', 'เหรียญ']],
    ['en', '', 10, []],
    ['en', 'unbreakable', 4, ['unbreakable']],
  ])('breaks in %s at words: %s', (language, text, max, lines) => {
    expect(wrapText(text, language, max, width).join('|')).toBe(lines.join('|'));
  });
});
