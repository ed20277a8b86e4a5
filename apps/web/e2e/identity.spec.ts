import { createHmac } from 'node:crypto';
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

test('a passkey is added, signs in without a password, and an authenticator app is turned on', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  await markNoticesRead(request, customer.token);
  // The browser's own device with a finger that is always right.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await openApp(page, '/pages/mine/security', { token: customer.token, language: 'en' });
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('My phone');
  await typePin(page, customer.paypass);
  await expect(page.getByText('My phone')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Two factors are on' })).toBeVisible();
  await markNoticesRead(request, customer.token);

  await page.getByRole('button', { name: /Authenticator app/ }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  await typePin(page, customer.paypass);
  const key = (await page.locator('.second-key').innerText()).replace(/\s/g, '');
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  await page.getByLabel('The 6 digits in the app').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByLabel('The 6 digits in the app')).toHaveAccessibleDescription(/wrong/);
  await page.getByLabel('The 6 digits in the app').fill(authenticatorCode(key));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.locator('.second-codes li')).toHaveCount(10);
  await markNoticesRead(request, customer.token);
  await page.getByRole('button', { name: /kept them/ }).click();

  await page.evaluate(() => {
    localStorage.removeItem('token');
    localStorage.removeItem('userInfo');
  });
  await page.goto('/#/pages/login/login');
  await page.reload();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).not.toHaveURL(/login/);
  await lookAt(page, '/pages/mine/security');
  await expect(page.getByText('My phone')).toBeVisible();
});

/** What an authenticator app shows (RFC 6238). */
function authenticatorCode(key: string): string {
  const bits = [...key].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', bytes).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
