const WORD_JOINER = '\u2060';

/** Compounds that a line break in the middle would give another meaning. */
const COMPOUNDS: readonly (readonly [string, string])[] = [
  ['คำ', 'สั่ง'],
  ['เงิน', 'ลงทุน'],
  ['ราคา', 'อ้างอิง'],
  ['ใบ', 'ยืนยัน'],
  ['ค่า', 'ธรรมเนียม'],
  ['รหัส', 'ผ่าน'],
  ['รหัส', 'ยืนยัน'],
  ['ราย', 'การ'],
  ['อุป', 'กรณ์'],
  ['ข้อ', 'ตกลง'],
];

/**
 * Prose of the server with its Thai compounds kept on one line. Only for display; compare the original text instead.
 */
export function keepWordsWhole(text: string): string {
  return COMPOUNDS.reduce(
    (joined, [first, second]) => joined.replaceAll(first + second, first + WORD_JOINER + second),
    text,
  );
}
