import { describe, expect, it } from 'vitest';
import { faultOfAnnouncement, faultOfStaffText, isScamReport } from './staff-text.ts';

describe('an answer of staff', () => {
  it.each([
    ['Please send me your password so I can look', 'text_asks_for_secret'],
    ['What is your PIN?', 'text_asks_for_secret'],
    ['Tell me the verification code that you received', 'text_asks_for_secret'],
    ['never mind, send me your pass\u200bword', 'text_asks_for_secret'],
    ['Please share the ＯＴＰ', 'text_asks_for_secret'],
    ['ขอรหัส OTP ที่ได้รับหน่อยค่ะ', 'text_asks_for_secret'],
    ['请把验证码发给我', 'text_asks_for_secret'],
    ['認証コードを教えてください', 'text_asks_for_secret'],
    ['أرسل لي رمز التحقق', 'text_asks_for_secret'],
    ['अपना पासवर्ड भेजिए', 'text_asks_for_secret'],
    ['Pay the tax first, then we release it', 'text_asks_for_payment'],
    ['Transfer 100 USDT to unlock your withdrawal', 'text_asks_for_payment'],
    ['กรุณาโอนค่าธรรมเนียมก่อนถอนเงิน', 'text_asks_for_payment'],
    ['请先支付保证金才能提现', 'text_asks_for_payment'],
    ['出金するには保証金を振り込んでください', 'text_asks_for_payment'],
    ['ادفع الضريبة لإتمام السحب', 'text_asks_for_payment'],
    ['निकासी के लिए शुल्क का भुगतान करें', 'text_asks_for_payment'],
    ['Open the app and type your six secret digits', 'text_asks_for_secret'],
    ['Reply with the 6 numbers you type when withdrawing', 'text_asks_for_secret'],
    ['ช่วยแจ้งตัวเลข 6 ตัวที่ใช้ตอนถอนด้วยค่ะ', 'text_asks_for_secret'],
    ['请告诉我您的6位数字', 'text_asks_for_secret'],
    ['6桁の数字を教えてください', 'text_asks_for_secret'],
    ['أرسل الأرقام الستة', 'text_asks_for_secret'],
    ['अपने छह अंक भेजिए', 'text_asks_for_secret'],
    ['Please send me the code from the SMS', 'text_asks_for_secret'],
    ['Reply with your secret number and we release it', 'text_asks_for_secret'],
    ['Let me know the codes on your screen', 'text_asks_for_secret'],
    ['请把短信码发给我', 'text_asks_for_secret'],
    ['画面のコードを教えてください', 'text_asks_for_secret'],
    ['أرسل الرمز الذي وصلك', 'text_asks_for_secret'],
    ['स्क्रीन पर आया कोड भेजिए', 'text_asks_for_secret'],
    ['Your account is limited. Open sathorn-verify.example', 'text_names_site'],
    ['Your account is limited. Open sathorn-verify.de', 'text_names_site'],
    ['ยืนยันบัญชีที่ sathorn.ly', 'text_names_site'],
    ['請到 sathorn-help.moe 確認', 'text_names_site'],
    ['Open SATHORN.XN--P1AI', 'text_names_site'],
    ['Continue at sathorn-help [.] com, please', 'text_names_site'],
    ['Continue at sathorn dot top', 'text_names_site'],
    ['ดูที่ sathorn｡xyz', 'text_names_site'],
    ['www.sathorn-verify', 'text_names_site'],
    ['Go to 203.0.113.7', 'text_names_site'],
    ['It arrived at arrived.com', 'text_names_site'],
    ['Look at arrived.com.Please', 'text_names_site'],
    ['See arrived.com/slip.jpg', 'text_names_site'],
    ['The slip is at slip.jp', 'text_names_site'],
    ['Open slip.jpg.com', 'text_names_site'],
    ['Open slip.jpg-check.com', 'text_names_site'],
    ['Open please.your-bank.com', 'text_names_site'],
    ['Open evil.Please-help.com', 'text_names_site'],
    ['Open Evil.Com now', 'text_names_site'],
    ['It has arrived.It is done', 'text_names_site'],
    ['Open evil.zip or evil.mov', 'text_names_site'],
    ['Open evil.xn--p1ai', 'text_names_site'],
    ['Open evil。com', 'text_names_site'],
    ['Open evil．com', 'text_names_site'],
    ['Open https://slip.jpg', 'text_names_site'],
    ['It has arrived.Please look at your balance.', null],
    ['It has arrived.The balance is new.', null],
    ['Thank you.Your slip is with finance.', null],
    ['We have your slip.jpg and IMG-2041.PNG, the statement.pdf too.', null],
    ['สลิปชื่อ slip.jpeg อ่านไม่ชัด ถ่ายใหม่ได้ไหมคะ', null],
    ['It arrived at 10.30. In the list you see it as done.', null],
    ['The bank sent ฿1,500.00 back. Me too, I have looked at it.', null],
    ['We never ask for your password or a code.', null],
    ['Sathorn ไม่เรียกเก็บเงินก่อนถอนไม่ว่ากรณีใด อย่าโอน', null],
    ['Don’t pay anyone to unlock a withdrawal.', null],
    ['Your withdrawal W-8842 is in review, and a person of finance is looking at it.', null],
    ['Please send the slip of your bank transfer here.', null],
    ['您的充值已经到账。', null],
    ['您的充值已经到账。USDT 余额已更新。', null],
    ['Which error code do you see? Send a picture of it.', null],
    ['Please tell us the branch code of your bank.', null],
    ['It closed at 10.30am on 5.12.2026, version 2.0', null],
    ['โอนแล้วเวลา 10.30 น. วันที่ 5 ธ.ค.', null],
  ])('%s', (text, fault) => {
    expect(faultOfStaffText(text)).toBe(fault);
  });
});

describe('a message of a customer', () => {
  it.each([
    ['มีคนโทรมาบอกให้จ่ายค่าปลดล็อกก่อนถอน จริงไหมครับ', true],
    ['Someone called and said I must pay to unlock the withdrawal. Is that true?', true],
    ['An agent on Telegram wants me to send my OTP', true],
    ['My withdrawal is late', false],
    ['How do I change my password?', false],
  ])('%s', (text, smells) => {
    expect(isScamReport(text)).toBe(smells);
  });
});

describe('an announcement by one person', () => {
  it.each([
    ['en', 'Send your password and PIN to support', 'text_asks_for_secret'],
    ['th', 'กรุณาส่งรหัสผ่านให้เจ้าหน้าที่', 'text_asks_for_secret'],
    ['jp', '認証コードを教えてください', 'text_asks_for_secret'],
    ['en', 'Deposits go to https://sathorn-pay.example now', 'text_names_site'],
    ['zh', '请到 sathorn-pay。com 充值', 'text_names_site'],
    ['en', 'Deposits go to 0x8B4d748FD0Ace46B2b2E64cE1b8063443F267537', 'text_asks_for_payment'],
    ['en', 'Deposits go to TQ5Pz1nPbWj1yZrB6m3jZ8Yk4Xc2Vd7HgA', 'text_asks_for_payment'],
    ['hi', 'कॉल करें +66 81 234 5678', 'text_asks_for_payment'],
    ['th', 'โอนเข้าบัญชี 123-4-56789-0', 'text_asks_for_payment'],
  ])('is refused in %s: %s', (language, text, code) => {
    expect(faultOfAnnouncement({ en: 'Withdrawals are slow.', [language]: text })).toEqual({
      code,
      field: `text_${language}`,
    });
  });
  it.each([
    'Deposits over the bank are delayed; withdrawals and transfers go on.',
    'Withdrawals are paused from 2026-11-27 09:00 to 2026-11-27 10:30 (UTC+7).',
    'Fees of withdrawals are not charged before Monday. Nobody asks you for your password.',
    'หยุดฝากและถอนชั่วคราว 22:00–23:00 น. วันที่ 5 ธันวาคม 2569',
    '银行充值延迟，提现照常。',
    'الإيداع متأخر والسحب يعمل كالمعتاد.',
  ])('is accepted: %s', (text) => {
    expect(faultOfAnnouncement({ en: text })).toBeNull();
  });
});
