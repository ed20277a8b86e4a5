import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { newCustomer, openApp } from './new-customer.ts';

const WALLET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

/** Notices stand over the page; these tests are about what is under them. */
async function markNoticesRead(request: APIRequestContext, token: string): Promise<void> {
  await request.post('/api/users/message/reader', { headers: { token }, form: { ids: 'all' } });
}

/** The payment password on our own keypad. */
async function typePin(page: Page, pin: string): Promise<void> {
  const pad = page.getByRole('dialog');
  for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
}

for (const { language, words } of [
  {
    language: 'th',
    words: {
      add: 'เพิ่มกระเป๋า',
      address: 'ที่อยู่',
      name: 'ชื่อ',
      checksum: /เช็กซัมไม่ตรง/,
      waits: /ใช้ได้ใน 24 ชั่วโมง/,
      idNumber: 'เลขประจำตัวประชาชน',
      person: 'ชื่อ-นามสกุลตามเอกสาร',
      born: 'วันเกิด',
      missing: /ขาดอีก 1 หลัก/,
      submit: 'ส่งตรวจสอบ',
      review: 'กำลังตรวจสอบ',
      wrong: /หลักสุดท้ายไม่ตรง/,
    },
  },
  {
    language: 'ar',
    words: {
      add: 'إضافة محفظة',
      address: 'العنوان',
      name: 'الاسم',
      checksum: /المجموع التدقيقي غير مطابق/,
      waits: /متاحة بعد/,
      idNumber: 'رقم الهوية',
      person: 'الاسم كما في الوثيقة',
      born: 'تاريخ الميلاد',
      missing: /ينقص/,
      submit: 'إرسال للمراجعة',
      review: 'قيد المراجعة',
      wrong: /الرقم الأخير لا يوافق/,
    },
  },
]) {
  test(`in ${language}, a wallet is checked while it is pasted, and waits for a day`, async ({ page, request }) => {
    const customer = await newCustomer(request);
    await markNoticesRead(request, customer.token);
    await openApp(page, '/pages/mine/addWallet', { token: customer.token, language });
    const address = page.getByLabel(words.address, { exact: true });

    await address.fill(WALLET.replace('d359', 'D359'));
    await expect(address).toHaveAccessibleDescription(words.checksum);
    await address.fill(WALLET);
    await expect(page.locator('.fours').first()).toContainText('fB69');
    await page.getByLabel(words.name, { exact: true }).fill('Exchange');
    await page.getByRole('button', { name: words.add }).click();

    // A wrong payment password is told in the sheet; the right one saves it.
    await typePin(page, '284917');
    await expect(page.getByRole('dialog')).toContainText(/4/);
    await typePin(page, customer.paypass);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await markNoticesRead(request, customer.token);
    await lookAt(page, '/pages/mine/walletList');
    await expect(page.getByText('Exchange')).toBeVisible();
    await expect(page.getByText(words.waits).first()).toBeVisible();
    await expectAccessible(page, `walletList ${language}`);
  });

  test(`in ${language}, a certification is asked for, its number checked digit by digit`, async ({ page, request }) => {
    const customer = await newCustomer(request);
    await markNoticesRead(request, customer.token);
    await openApp(page, '/pages/mine/Certification/primary', { token: customer.token, language });
    const number = page.getByLabel(words.idNumber, { exact: true });
    await page.getByLabel(words.person).fill('Nicha Phromsiri');
    await number.fill('110170023070');
    await number.blur();
    await expect(number).toHaveAccessibleDescription(words.missing);
    await number.fill('1101700230705');
    await expect(number).toHaveAccessibleDescription(words.wrong);
    await number.fill('1101700230708');
    await expect(number).toHaveValue('1 1017 00230 70 8');
    await page.getByLabel(words.born).fill('1990-01-31');
    await expectAccessible(page, `primary ${language}`);
    await page.getByRole('button', { name: words.submit }).click();
    await expect(page.getByRole('heading', { name: words.review })).toBeVisible();
    // Nothing of the whole number comes back.
    await expect(page.locator('main')).not.toContainText('1101700230708');
  });
}

test('every screen of identity stands without a finding, in both themes', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await markNoticesRead(request, customer.token);
  await openApp(page, '/pages/mine/security', { token: customer.token, language: 'th', theme: 'dark' });
  for (const path of [
    '/pages/mine/security',
    '/pages/mine/security/authenticator',
    '/pages/mine/security/activity',
    '/pages/mine/limits',
    '/pages/mine/vipLevel',
    '/pages/mine/addWallet',
    '/pages/mine/setting/tradeAccount',
    '/pages/mine/Certification/advanced',
  ]) {
    await lookAt(page, path);
    await expectAccessible(page, path);
  }
});
