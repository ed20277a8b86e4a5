/** Prevents a line break. */
export const WORD_JOINER = '\u2060';

/** Thai compounds that browsers may break at the bars. A line break there changes the meaning. */
export const THAI_COMPOUNDS: readonly string[] = [
  'คำ|สั่ง',
  'เงิน|ลงทุน',
  'ราคา|อ้างอิง',
  'ใบ|ยืนยัน',
  'ค่า|ธรรมเนียม',
  'รหัส|ผ่าน',
  'รหัส|ยืนยัน',
  'ราย|การ',
  'อุป|กรณ์',
  'ข้อ|ตกลง',
  'ตรวจ|สอบ',
  'ยืนยัน|ตัว|ตน',
  'ซื้อ|ขาย',
  'ผล|ตอบแทน',
  'สภาพ|คล่อง',
  'ถอน|เงิน',
  'ฝาก|เงิน',
  'ล็อก|อัป',
  'คง|เหลือ',
  'เจ้า|หน้าที่',
  'แจ้ง|เตือน',
  'กล่อง|สุ่ม',
  'ลาย|เซ็น',
  'หลัก|ฐาน',
  'ดำเนิน|การ',
  'เกี่ยว|กับ',
  'ความ|เสี่ยง',
  'ใบ|อนุญาต',
  'ช่วย|เหลือ',
  'สิทธิ|ประโยชน์',
  'ด้วย|ตนเอง',
  'ครบ|กำหนด',
];

const PAIRS = THAI_COMPOUNDS.map((cut) => [cut.replaceAll('|', ''), cut.replaceAll('|', WORD_JOINER)] as const);

/**
 * Returns prose with its Thai compounds and the numbers of deposits and withdrawals kept on one line. In Arabic the
 * parts of a broken number are in the wrong order. For display only; compare the original text instead.
 */
export function keepWordsWhole(text: string): string {
  const words = PAIRS.reduce((joined, [whole, bound]) => joined.replaceAll(whole, bound), text);
  return words.replace(/\b([DW]-)(\d{6}-)/g, `$1${WORD_JOINER}$2${WORD_JOINER}`);
}

/** Labels shorter than this do not wrap and stay unchanged. */
const WRAPS_FROM = 32;

/** An app's texts with their compounds kept whole. */
export function keepCatalogueWhole(catalogue: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, text]) => [key, text.length < WRAPS_FROM ? text : keepWordsWhole(text)]),
  );
}
