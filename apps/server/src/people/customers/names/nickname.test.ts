import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanNickname } from './nickname.ts';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

describe('a nickname', () => {
  it.each([
    ['as it is', 'Mali 88', 'Mali 88'],
    ['in Thai, with its marks', 'น้ำผึ้ง', 'น้ำผึ้ง'],
    ['in Arabic', 'محمد علي', 'محمد علي'],
    ['in Hindi, with its joiner', 'क्\u200dष', 'क्\u200dष'],
    ['in Japanese', 'さくら', 'さくら'],
    ['composed', 'e\u0301clair', '\u00e9clair'],
    ['with a family of four', '👨‍👩‍👧‍👦 home', '👨‍👩‍👧‍👦 home'],
    ['with a hand of a colour', '👋🏽', '👋🏽'],
    ['with a red heart', '❤️', '❤️'],
    ['with a flag', '🇹🇭', '🇹🇭'],
    ['with a letter of its own', 'Əliyev', 'Əliyev'],
    ['in Greek beside Latin', 'Μαρία Smith', 'Μαρία Smith'],
    ['in Russian', 'Наташа 7', 'Наташа 7'],
    ['without direction overrides', 'a\u202Egnp.exe\u202C', 'agnp.exe'],
    ['without isolates and marks', '\u2066Mali\u2069\u200E\u061C', 'Mali'],
    ['without zero widths', 'Ma\u200Bli\uFEFF\u2060', 'Mali'],
    ['without joiners that join nothing', 'M\u200Da\u200Cli\u200D', 'Mali'],
    ['without selectors that select nothing', 'Mali\uFE0F', 'Mali'],
    ['without soft hyphens, fillers, tags', 'M\u00ADa\u3164l\u{E0041}i\u2800', 'Mali'],
    ['without control characters', 'Ma\u0000l\u001bi\r\n', 'Mali'],
    ['with one space for many', '  Mali \u00a0\u3000 88  ', 'Mali 88'],
    ['of 24 graphemes', 'ก้'.repeat(24), 'ก้'.repeat(24)],
    ['that is text to everybody', '<script>=1+1', '<script>=1+1'],
  ])('%s', (_what, text, kept) => expect(cleanNickname(text, 'Sathorn')).toBe(kept));

  it.each([
    ['empty', ''],
    ['of spaces', ' \u3000\u00a0'],
    ['of what nobody sees', '\u200B\u2066\u2069\u3164\u{E0020}'],
    ['of signs only', '!!!---'],
    ['of marks only', '\u0e49\u0e49'],
    ['longer than 24 graphemes', 'a'.repeat(25)],
    ['with a tower of marks', `Z${'\u0300'.repeat(5)}algo`],
    ['that plays the house', 'Sathorn Support'],
    ['that plays the house in full width', 'ＳＡＴＨＯＲＮ official'],
    ['that is the house', 'sath0rn'],
    ['that plays a role', 'Admin 1'],
    ['that plays a role with marks', 'ádmin'],
    ['that plays a role with a number that has a zero', 'Supp0rt 10'],
    ['that plays a role in small capitals', 'ᴀᴅᴍɪɴ'],
    ['that plays a role in squares', '🆂🆄🅿🅿🅾🆁🆃'],
    ['that plays a role in halves of flags', '🇦 🇩 🇲 🇮 🇳'],
    ['that is the house in circles and small capitals', '🅢🅐🅣🅗ᴏʀɴ'],
    ['that plays a role in Thai', 'เจ้าหน้าที่ 1'],
    ['that plays a role in Chinese', '客服'],
    ['with a Cyrillic letter among Latin ones', '\u0410dmin'],
    ['with a Greek letter among Latin ones', 'Sath\u03bfrn'],
  ])('is refused: %s', (_what, text) => expect(cleanNickname(text, 'Sathorn')).toBeNull());

  it('F6 that is accepted stays stable, is short and contains no hidden character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const kept = cleanNickname(text, 'Sathorn');
        if (kept === null) return;
        expect(cleanNickname(kept, 'Sathorn')).toBe(kept);
        expect([...graphemes.segment(kept)].length).toBeLessThanOrEqual(24);
        expect(kept).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200B\u2060\uFEFF]/u);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of ten thousand characters is checked quickly', () => {
    const before = process.cpuUsage();
    for (const piece of ['a\u200D', '\u0300', '👨‍', ' ', '\u202E']) cleanNickname(piece.repeat(5_000), 'Sathorn');
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});
