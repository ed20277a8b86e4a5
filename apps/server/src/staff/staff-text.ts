// Refuses texts that staff must not write, in six languages. This catches mistakes and forces a bribed operator into
// unusual wording. Beyond that, the log and the customer's own copy are the safeguard.

const SECRETS =
  /\b(?:passwords?|pass ?codes?|pin(?: codes?)?|otp|one[- ]time (?:code|password)s?|(?:verification|security|authenticator|recovery|sms|backup)s? codes?|code (?:you|that you) (?:got|received)|seed(?: phrase)?|private keys?|mnemonic)\b|รหัส|พิน|โอทีพี|密码|验证码|口令|私钥|助记词|暗証番号|パスワード|認証コード|確認コード|秘密鍵|كلمة (?:السر|المرور)|الرقم السري|رمز (?:التحقق|التأكيد|الأمان)|المفتاح الخاص|पासवर्ड|पिन|ओटीपी|सत्यापन कोड|निजी कुंजी/iu;
/** The six digits of the payment password, in any wording. */
const DIGITS =
  /\b(?:6|six)[ -](?:[a-z]+ ){0,2}(?:digits?|numbers?|figures)\b|\b(?:digits|numbers) (?:that )?you (?:type|use|enter)\b|(?:6|หก|๖) ?(?:หลัก|ตัว)|ตัวเลข ?(?:6|หก|๖)|[6六] ?(?:位|个|個|桁|つの)|(?:6|٦|ستة?|الستة) ?(?:أرقام|ارقام|خانات)|الأرقام الستة|(?:6|६|छह|छः) ?(?:अंक|नंबर)/iu;
/**
 * These words may follow a dot: endings of files, and first words of sentences after a missing space. None of them is a
 * top-level domain, so nobody can register such a site. “arrived.It” stays refused because `.it` is a domain. Words of
 * two letters are not listed, because each may become a country's domain.
 */
const NO_SITE = [
  'jpe?g|png|gif|webp|hei[cf]|bmp|pdf|docx?|xlsx?|csv|txt',
  'after|also|and|another|because|before|both|but|check|could|dear|each|every|from|hello|however|its|kindly|let|nobody',
  'not|nothing|once|our|please|send|should|since|sorry|still|thanks?|that|the|their|then|there|these|they|this|those',
  'until|wait|was|were|what|when|where|which|while|who|why|will|with|without|would|your',
].join('|');
/** The names after a dot without a space, where any ending counts, as in browsers. */
const NAMED = `[a-z0-9][a-z0-9-]+\\.(?!(?:${NO_SITE})(?![a-z0-9-]))(?:[a-z]{2,24}|xn--[a-z0-9-]+)(?![a-z0-9])`;
/**
 * Matches names of sites. If the dot is written out, or is another script's full stop, only endings that swindlers rent
 * or customers' countries use count.
 */
const SPELT =
  /[a-z0-9\u00a1-\uffff-]{2,}(?:[.。]| ?[[(]\.[\])] ?| dot )(?:com|net|org|info|biz|io|app|dev|co|me|cc|tv|ai|gg|xyz|top|site|online|shop|store|live|link|page|click|club|win|fun|vip|pro|one|world|asia|support|help|finance|money|exchange|cash|trade|wallet|website|space|tech|cloud|center|network|example|th|cn|hk|jp|in|ru|ae|sa)(?![a-z0-9])|\b(?:https?|hxxps?|www)\b ?[:.]|\b\d{1,3}(?:\.\d{1,3}){3}\b/iu;
const SITE = new RegExp(`${NAMED}|${SPELT.source}`, 'iu');
/** Matches any code except those that staff may need, together with words that ask for it. */
const CODE =
  /(?<!\b(?:invitation|invite|promo|error|order|bank|branch|swift|postal|country|qr) )\bcodes?\b|\bsecret (?:numbers?|digits?|words?|figures)\b|(?:动态|校验|短信)码|(?<!错误|邀请)代码|(?<!エラー|招待|QR)コード|(?:الرمز|الكود)(?! الخطأ)|(?<!एरर |त्रुटि )कोड(?!\p{L})/iu;
const GIVE =
  /\b(?:send|tell|give|share|provide|text|forward|show|reply|let me (?:have|know)|what(?:[’']s| is) (?:your|the)|read (?:me|us))\b|发给|发送|告诉|提供|教え|送って|送信|お知らせ|أرسل|ارسل|أخبر|اخبر|أعط|اعط|شارك|زود|भेज|बता|दीजिए|दें|साझा/iu;
const ASKS =
  /\b(?:send|tell|give|share|provide|text|type|enter|confirm|forward|show|reply with|let me (?:have|know)|what(?:[’']s| is) your|need your|read (?:me|us))\b|ส่ง|บอก|แจ้ง|ขอ|ให้ทราบ|พิมพ์|กรอก|发给|发送|告诉|提供|输入|教え|送って|送信|入力して|お知らせ|أرسل|ارسل|أخبر|اخبر|أعط|اعط|شارك|زود|اكتب|भेज|बता|दीजिए|दें|साझा|लिख/iu;
const PAYS =
  /\b(?:pay|payment|transfer|deposit|top[- ]?up|remit|send (?:me|us)? ?[0-9.,]* ?(?:usdt|baht|thb|usd|money|crypto|coins?))\b|จ่าย|โอน|ชำระ|เติมเงิน|ฝากเงิน|วางเงิน|支付|付款|转账|汇款|充值|缴纳|支払|振込|振り込|送金|入金|ادفع|دفع|حوّل|حول مبلغ|تحويل|إيداع|भुगतान|ट्रांसफर|जमा कर|पैसे भेज/iu;
const IN_RETURN =
  /\b(?:unlock|unblock|unfreeze|release|withdraw\w*|activat\w+|upgrade|tax(?:es)?|fee|fine|penalty|guarantee|margin|collateral|refundable|before (?:we|you)|first|verify your account|my (?:account|wallet)|to me)\b|ปลดล็อก|ถอน|ภาษี|ค่าธรรมเนียม|ค่าปรับ|ประกัน|มัดจำ|ก่อน|解冻|解锁|提现|提款|税|手续费|保证金|罚款|解除|凍結|出金|引き出|税金|手数料|保証金|سحب|ضريب|رسوم|غرامة|ضمان|تأمين|فك|निकास|निकाल|टैक्स|शुल्क|जुर्माना|ज़मानत|अनलॉक/iu;
const NEVER =
  /\b(?:never|not|don[’']?t|doesn[’']?t|won[’']?t|no one|nobody|without|isn[’']?t|cannot|can[’']?t)\b|ไม่|อย่า|ห้าม|不|勿|没有|絶対|ません|ないで|しない|لا |لن |ليس|أبد|नहीं|कभी|(?<!\S)मत |(?<!\S)न करें|(?<!\S)न दें/iu;

const INVISIBLE = /\u034f|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/gu;

function sentencesOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/\bnever ?mind\b|\bwhy not\b/giu, '');
  return plain.split(/[.!?;\n。！？؟।]+|\s{2,}|ค่ะ|ครับ|นะคะ/u).map((sentence) => sentence.trim());
}

/** Detects a request for what staff never need: a password, a PIN, a code, or money. For texts by two people. */
export function faultOfPublishedText(text: string): 'text_asks_for_secret' | 'text_asks_for_payment' | null {
  const positive = sentencesOf(text).filter((sentence) => !NEVER.test(sentence));
  if (positive.some((sentence) => (SECRETS.test(sentence) || DIGITS.test(sentence)) && ASKS.test(sentence)))
    return 'text_asks_for_secret';
  if (positive.some((sentence) => PAYS.test(sentence) && IN_RETURN.test(sentence))) return 'text_asks_for_payment';
  return null;
}

/** The same for a text that one person sends, which must name no site either: all that is needed is in the app. */
export function faultOfStaffText(text: string): ReturnType<typeof faultOfPublishedText> | 'text_names_site' {
  const fault = faultOfPublishedText(text);
  if (fault !== null) return fault;
  if (sentencesOf(text).some((one) => !NEVER.test(one) && CODE.test(one) && GIVE.test(one)))
    return 'text_asks_for_secret';
  return SITE.test(text.normalize('NFKC').replace(INVISIBLE, '')) ? 'text_names_site' : null;
}

const DATE = /\d{4}-\d{2}-\d{2}/g;
/** A chain address, an account number or a telephone number. */
const ACCOUNT = /\b0x[0-9a-f]{12,}|\b[13T][1-9A-HJ-NP-Za-km-z]{25,33}\b|\+?\d(?:[ -]?\d){8,}/i;

/**
 * The first fault in an announcement by one person, with its field. Announcements may speak of payments, but must not
 * ask for secrets or name a site or an account.
 */
export function faultOfAnnouncement(texts: Readonly<Record<string, string>>) {
  for (const [language, text] of Object.entries(texts)) {
    const plain = text.normalize('NFKC').replace(INVISIBLE, '').replace(DATE, '');
    const field = `text_${language}`;
    if (faultOfPublishedText(text) === 'text_asks_for_secret') return { code: 'text_asks_for_secret', field } as const;
    if (SITE.test(plain)) return { code: 'text_names_site', field } as const;
    if (ACCOUNT.test(plain)) return { code: 'text_asks_for_payment', field } as const;
  }
  return null;
}

const STORIES =
  /\b(?:someone|somebody|agent|teacher|manager|friend|called|telegram|whatsapp|line|unlock|tax)\b|มีคน|โทร|แอดมิน|ปลดล็อก|ภาษี|ไลน์|客服|老师|解冻|解锁|税|先生|電話|解除|اتصل|شخص|ضريب|किसी|फोन|टैक्स/iu;

/** Detects that the customer reports being asked for money or a secret, in order to warn the operator who answers. */
export function isScamReport(text: string): boolean {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '');
  const isAboutMoney = PAYS.test(plain) && IN_RETURN.test(plain);
  return STORIES.test(plain) && (isAboutMoney || (SECRETS.test(plain) && ASKS.test(plain)));
}
