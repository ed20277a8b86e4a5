const WORD_JOINER = '\u2060';

/** Compounds whose meaning would change if a line broke inside them. */
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

/** The server's prose with its Thai compounds kept on one line. For display only; compare the original text instead. */
export function keepWordsWhole(text: string): string {
  return COMPOUNDS.reduce(
    (joined, [first, second]) => joined.replaceAll(first + second, first + WORD_JOINER + second),
    text,
  );
}
