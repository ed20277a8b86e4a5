/** A nickname is shown to others, so it must neither break their layout nor impersonate us. */
const GRAPHEMES_MAX = 24;
/** Thai and Devanagari need up to three combining marks per letter. More would overlap the next lines. */
const MARKS_MAX = 4;

// Invisible characters: controls, bidi controls, zero-width characters, tags, blank fillers, private use. Joiners and
// emoji selectors are handled next.
const UNSEEN =
  /[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800\uFFF9-\uFFFC]--[\u200C-\u200D]--[\uFE0E-\uFE0F]]/gv;
// Joiners are accepted only where a script or an emoji needs them: after a virama or between pictographs.
const VIRAMA = '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D';
const PICTOGRAPH = '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]?\\p{Emoji_Modifier}?';
const STRAY = new RegExp(
  [
    `(?<![${VIRAMA}])\\u200C`,
    `(?<!${PICTOGRAPH}|[${VIRAMA}])\\u200D`,
    `(?<!${PICTOGRAPH})\\u200D(?!\\p{L})`,
    `(?<=${PICTOGRAPH})\\u200D(?!\\p{Extended_Pictographic})`,
    '(?<![\\p{Extended_Pictographic}0-9#*])[\\uFE0E\\uFE0F]',
  ].join('|'),
  'gu',
);
const VISIBLE = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Emoji_Presentation}\p{RI}]/u;
const TOWER = new RegExp(`\\p{M}{${MARKS_MAX + 1},}`, 'u');
// One word that mixes scripts with look-alike letters, such as Аdmin with a Cyrillic А.
const MIXED = /(?=\p{L}*\p{Script=Latin})(?=\p{L}*[\p{Script=Cyrillic}\p{Script=Greek}])\p{L}/u;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Returns the nickname to store, or null when nothing presentable remains. */
export function cleanNickname(text: string, brand: string): string | null {
  const clean = text.normalize('NFC').replace(UNSEEN, '').replace(STRAY, '').replace(/\s+/gu, ' ').trim();
  if (!VISIBLE.test(clean) || TOWER.test(clean.normalize('NFD'))) return null;
  if ([...graphemes.segment(clean)].length > GRAPHEMES_MAX) return null;
  return MIXED.test(clean) || isPretence(clean, plainly(brand)) ? null : clean;
}

/** Small capitals that look like the letters a to z. */
const SMALL_CAPITALS = [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ'];
/** The first code points of the letters A to Z in circles, in squares, and as regional indicators. */
const DRAWN_FROM = [0x1f150, 0x1f170, 0x1f1e6];
const DRAWN = new Map(
  [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter, n) =>
    [...DRAWN_FROM.map((from) => String.fromCodePoint(from + n)), SMALL_CAPITALS[n] ?? letter].map(
      (drawn) => [drawn, letter] as const,
    ),
  ),
);

/** Letters and digits as a reader perceives them: without case, marks, width, separators and trailing digits. */
const plainly = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/./gsu, (character) => DRAWN.get(character) ?? character)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/\p{N}+$/u, '')
    .replace(/0/g, 'o');

const OFFICIAL = new Set(
  [
    'admin administrator support official staff system operator moderator service customerservice security',
    'แอดมิน ผู้ดูแลระบบ เจ้าหน้าที่ ทีมงาน ฝ่ายบริการ ฝ่ายบริการลูกค้า ฝ่ายสนับสนุน ซัพพอร์ต',
    '管理员 官方 客服 客服中心 管理者 運営 公式 サポート',
    'مدير المشرف الدعم प्रशासक एडमिन सपोर्ट',
  ]
    .join(' ')
    .split(' ')
    .map(plainly),
);

function isPretence(nickname: string, brand: string): boolean {
  const plain = plainly(nickname);
  return (
    OFFICIAL.has(plain) ||
    (plain.includes(brand) && plain !== brand && /admin|support|official|staff|team|service|help/.test(plain)) ||
    plain === brand
  );
}
