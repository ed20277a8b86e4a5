/**
 * Words with which a text promises a result, in six languages. Every text is searched for all of them, because an
 * English phrase in a Thai sentence is a promise too. A denied promise also matches; its author can rephrase it.
 */
const PROMISES: readonly RegExp[] = [
  /guarante\w*/,
  /\brisk[ -]?free\b/,
  /\b(?:no|zero|without(?: any)?) risks?\b/,
  /\bsure (?:win|profit|thing)\b/,
  /\b(?:can ?not|can['’]?t|never) lose\b/,
  /\b(?:assured|certain|sure) (?:profit|return|income|gain)s?\b/,
  /\balways (?:win|profit|gain)s?\b/,
  /\b(?:get|become) rich\b/,
  /\b(?:double|triple) your (?:money|deposit|capital)\b/,
  /\b100 ?% (?:safe|secure|profit|win)\b/,
  /รับประกัน/,
  /การันตี/,
  /(?:ไม่มี|ไร้|ปลอด)ความเสี่ยง/,
  /(?:กำไร|ชนะ|ได้เงิน|ผลตอบแทน)(?:ที่)?แน่นอน/,
  /ไม่มีทาง(?:ขาดทุน|เสีย|แพ้)/,
  /(?:ไม่|ไม่มีวัน)ขาดทุน/,
  /รวยเร็ว|รวยแน่/,
  /ปลอดภัย ?100/,
  /保[证證](?!金)/,
  /保本|稳赚|穩賺|包赚|稳赢|必赢|必赚|躺赚|暴富/,
  /(?:无|無|零|没有)风险/,
  /保証(?!金)/,
  /必ず(?:儲|勝|利益|もうか)/,
  /(?:ノー|ゼロ)リスク|リスク(?:なし|ゼロ|無し)/,
  /(?:確実|絶対)に?(?:儲|勝|利益|もうか)/,
  /損(?:を)?(?:しない|しません)|必勝/,
  /مضمون/,
  /(?:ن|ت|ي|أ)ضمن(?!\p{L})/u,
  /ضمانة?(?!\p{L})/u,
  /(?:بلا|بدون|دون) (?:أي )?(?:مخاطر|مخاطرة|خسارة|خسائر)/,
  /خالٍ?ي?ة? من المخاطر/,
  /(?:ربح|أرباح|عائد|دخل) (?:مؤكد|أكيد)/,
  /لن تخسر/,
  /गारंटी|गारन्टी/,
  /जोखिम[- ]?मुक्त/,
  /बिना (?:किसी )?जोखिम/,
  /कोई जोखिम नहीं/,
  /(?:पक्का|निश्चित|तय) (?:मुनाफ|लाभ|कमाई|रिटर्न)/,
  /(?:कभी|कोई) (?:नुकसान|घाटा) नहीं/,
];

/** Characters that could hide a word from the search: joiners, soft hyphens, and Arabic vowel signs and tatweel. */
const HIDDEN = /\p{Cf}|\p{Variation_Selector}|\u034f|[\u064b-\u065f]|\u0640|\u0670/gu;

function comparable(text: string): string {
  // NFKC turns full-width and styled letters into plain ones. The dotted letters of Hindi have two encodings.
  return text.normalize('NFKC').replace(HIDDEN, '').replaceAll('\u093c', '').toLowerCase().replaceAll(/\s+/g, ' ');
}

/** The promising words in a text, each once. */
export function findPromises(text: string): string[] {
  const plain = comparable(text);
  return [...new Set(PROMISES.flatMap((promise) => promise.exec(plain)?.[0].trim() ?? []))];
}
