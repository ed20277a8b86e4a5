import { createHmac } from 'node:crypto';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp, reopen } from './new-customer.ts';

const WALLET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

/** Types the payment password on our own keypad. */
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
      noSuchDay: 'ไม่มีวันที่นี้ในปฏิทิน',
      bornAs: '31 มกราคม 2533 (1990)',
      missing: /ขาดอีก 1 หลัก/,
      submit: 'ส่งตรวจสอบ',
      review: 'กำลังตรวจสอบ',
      wrong: /หลักสุดท้ายไม่ตรง/,
      word: 'คำที่ต้องการใช้',
      setWord: 'ตั้งคำ',
      changeWord: 'เปลี่ยนคำ',
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
      noSuchDay: 'لا يوجد يوم كهذا في التقويم',
      bornAs: '31 يناير 1990',
      missing: /ينقص/,
      submit: 'إرسال للمراجعة',
      review: 'قيد المراجعة',
      wrong: /الرقم الأخير لا يوافق/,
      word: 'الكلمة',
      setWord: 'تعيين الكلمة',
      changeWord: 'تغيير الكلمة',
    },
  },
]) {
  test(`a pasted wallet is checked at once, and waits for a day before use, in ${language}`, async ({
    page,
    request,
  }) => {
    const customer = await newCustomer(request);
    await markNoticesRead(request, customer.token);
    await openApp(page, '/pages/mine/addWallet', { token: customer.token, language });
    const address = page.getByLabel(words.address, { exact: true });

    await address.fill(WALLET.replace('d359', 'D359'));
    await expect(address).toHaveAccessibleDescription(words.checksum);
    await address.fill(WALLET);
    await expect(page.locator('.grouped-address').first()).toContainText('fB69');
    await page.getByLabel(words.name, { exact: true }).fill('Exchange');
    await page.getByRole('button', { name: words.add }).click();

    // The sheet reports a wrong payment password; the right one saves the wallet.
    await typePin(page, '284917');
    await expect(page.getByRole('dialog').getByRole('status')).toContainText(/4/);
    await typePin(page, customer.paypass);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await markNoticesRead(request, customer.token);
    await lookAt(page, '/pages/mine/walletList');
    // The notice of the new wallet may already be open.
    await page.reload();
    await expect(page.getByText('Exchange')).toBeVisible();
    await expect(page.getByText(words.waits).first()).toBeVisible();
    await expectAccessible(page, `walletList ${language}`);

    // A word chosen by the customer distinguishes real messages from fakes.
    await lookAt(page, '/pages/mine/security/phishing');
    await page.getByLabel(words.word, { exact: true }).fill('river boat 9');
    await page.getByRole('button', { name: words.setWord }).click();
    await typePin(page, customer.paypass);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await markNoticesRead(request, customer.token);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'river boat 9' })).toBeVisible();
    await expect(page.getByRole('button', { name: words.changeWord })).toBeVisible();
    await expectAccessible(page, `phishing ${language}`);
  });

  test(`a certification is requested, with its number checked digit by digit, in ${language}`, async ({
    page,
    request,
  }) => {
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
    const born = page.getByRole('group', { name: words.born });
    await born.getByRole('textbox').first().fill('31');
    await born.getByRole('combobox').selectOption('2');
    await born.getByRole('textbox').last().fill('2533');
    await expect(born).toContainText(words.noSuchDay);
    await born.getByRole('combobox').selectOption('1');
    await expect(born).toContainText(words.bornAs);
    await expectAccessible(page, `primary ${language}`);
    await page.getByRole('button', { name: words.submit }).click();
    await expect(page.getByRole('heading', { name: words.review })).toBeVisible();
    // The server never sends the full number back.
    await expect(page.locator('main')).not.toContainText('1101700230708');
  });
}

test('axe finds nothing on any screen of identity, in both themes', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await markNoticesRead(request, customer.token);
  await openApp(page, '/pages/mine/security', { token: customer.token, language: 'th', theme: 'dark' });
  for (const path of [
    '/pages/mine/security',
    '/pages/mine/security/authenticator',
    '/pages/mine/security/activity',
    '/pages/mine/security/phishing',
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

test('a passkey is added, confirms an authenticator app and a new password, and signs in by itself', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  await markNoticesRead(request, customer.token);
  // A virtual authenticator whose fingerprint check always succeeds.
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
  // Closes the notices of these changes whenever they appear.
  await page.addLocatorHandler(
    page.getByRole('button', { name: 'Got it' }),
    // The notice may have closed with its page meanwhile.
    (understood) => understood.click({ timeout: 5_000 }).catch(() => undefined),
    { noWaitAfter: true },
  );
  await openApp(page, '/pages/mine/security', { token: customer.token, language: 'en' });
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('My phone');
  await typePin(page, customer.paypass);
  await expect(page.getByText('My phone')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Two-factor authentication is on' })).toBeVisible();

  await page.getByRole('button', { name: /Authenticator app/ }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  // A customer with a factor must prove it: there is no app yet, so the page offers only the passkey.
  await expect(page.getByLabel('Code from your authenticator app')).toHaveCount(0);
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await typePin(page, customer.paypass);
  const key = ((await page.locator('.second-key').textContent()) ?? '').replace(/\s/g, '');
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  await page.getByLabel('The 6 digits in the app').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByLabel('The 6 digits in the app')).toHaveAccessibleDescription(/wrong/);
  await page.getByLabel('The 6 digits in the app').fill(authenticatorCode(key));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.locator('.second-codes li')).toHaveCount(10);
  await page.getByRole('button', { name: /saved them/ }).click();

  await page.goto('/#/pages/mine/setting/password');
  await page.getByLabel('Current password').fill(customer.password);
  await page.getByLabel('New password', { exact: true }).fill('Mekong77x');
  await page.getByLabel('Confirm new password').fill('Mekong77x');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Code from your authenticator app')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await expect(page.getByText('Password changed').first()).toBeVisible();

  await page.evaluate(() => {
    localStorage.removeItem('token');
    localStorage.removeItem('userInfo');
  });
  await reopen(page, '/pages/login/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).not.toHaveURL(/login/);
  await lookAt(page, '/pages/mine/security');
  await expect(page.getByText('My phone')).toBeVisible();
});

test('G5 advanced certification covers the private fields on the device, and sends the requested pictures', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  const typed = {
    type: 'passport',
    name: 'Nicha Phromsiri',
    number: `P${Date.now() % 10_000_000}`,
    birth_date: '1990-01-31',
  };
  const headers = { token: customer.token };
  await request.post('/api/users/levelauth', { headers, form: { level: 'primary', ...typed } });
  await verifyPrimary(request, customer.username);
  await markNoticesRead(request, customer.token);

  await openApp(page, '/pages/mine/Certification/advanced', { token: customer.token, language: 'en' });
  await page.getByRole('tab', { name: 'ID card' }).click();
  await page.getByLabel('Name, as on the document').fill('Nicha Phromsiri');
  await page.getByLabel('ID number').fill('1101700230708');
  for (const [name, day, month, year] of [
    ['Date of birth', '31', '1', '1990'],
    ['Document expiry date', '1', '5', '2031'],
  ] as const) {
    const date = page.getByRole('group', { name });
    await date.getByLabel('Day').fill(day);
    await date.getByLabel('Month').selectOption(month);
    await date.getByLabel('Year').fill(year);
  }
  await page.getByRole('button', { name: 'Send for review' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();

  const picture = { name: 'card.png', mimeType: 'image/png', buffer: await drawCard(page) };
  await page.locator('input[name="front"]').setInputFiles(picture);
  const stage = page.locator('.mask-stage');
  await expect(stage.locator('.mask-cover')).toHaveCount(1);
  const box = await stage.boundingBox();
  if (!box) throw new Error('the picture is not shown');
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 60);
  await page.mouse.up();
  await expect(stage.locator('.mask-cover')).toHaveCount(2);
  await page.getByRole('button', { name: 'Use this picture' }).click();
  await expect(page.getByText('Ready')).toHaveCount(1);
  for (const side of ['back', 'selfie']) await page.locator(`input[name="${side}"]`).setInputFiles(picture);
  await expect(page.getByText('Ready')).toHaveCount(3);
  await expectAccessible(page, 'advanced');
  await page.getByRole('button', { name: 'Send for review' }).click();
  await expect(page.getByRole('heading', { name: 'Under review' })).toBeVisible();

  // In the stored picture, the area covered by the customer is black.
  const { data } = await (await request.get('/api/users/certification', { headers })).json();
  const pictures = data.advanced.pictures as { side: string; id: string }[];
  const front = pictures.find(({ side }) => side === 'front');
  const { data: shown } = await (
    await request.get('/api/users/picture', { headers, params: { id: front?.id ?? '' } })
  ).json();
  expect(await darkShareOf(page, shown.data_url)).toBeGreaterThan(0.03);
});

/** A demo operator's credentials. The code is the next one that was not used. */
async function credentialsOf(request: APIRequestContext, name: string): Promise<Record<string, string>> {
  const listed = await (await request.get('/demo/operators', { headers: { accept: 'application/json' } })).json();
  const people = (listed.data ?? listed) as Record<string, string>[];
  return people.find(({ work_name }) => work_name === name) ?? {};
}

/** Verifies the customer's primary application as a demo operator would. */
async function verifyPrimary(request: APIRequestContext, username: string): Promise<void> {
  const { password = '', code = '' } = await credentialsOf(request, 'tan');
  const entered = await request.post('/api/admin/login', { form: { username: 'tan', password, code } });
  const { token } = (await entered.json()).data;
  const post = async (path: string, form: Record<string, string>) => {
    const headers = { token, 'idempotency-key': crypto.randomUUID() };
    return (await request.post(`/api/admin${path}`, { headers, form })).json();
  };
  const { data } = await (await request.get('/api/admin/certifications/lists', { headers: { token } })).json();
  const items = data.items as { id: string; customer: { username: string } }[];
  const { id = '' } = items.find(({ customer }) => customer.username === username) ?? {};
  const refused = await post('/certifications/approve', { id, version: '0' });
  const { step_up } = (await post('/step_up/start', refused.data.params)).data;
  // The next code may be valid only half a minute later.
  await expect
    .poll(
      async () =>
        (await post('/step_up/confirm', { step_up, code: (await credentialsOf(request, 'tan')).code ?? '' })).ret,
      { timeout: 110_000, intervals: [31_000] },
    )
    .toBe(1);
  expect((await post('/certifications/approve', { id, version: '0', step_up })).ret).toBe(1);
}

/** A light picture with the proportions of a card. */
async function drawCard(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [800, 500];
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = '#cfe0f0';
      context.fillRect(0, 0, 800, 500);
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

function darkShareOf(page: Page, url: string): Promise<number> {
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const { data = new Uint8ClampedArray() } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 40) dark += 1;
    return dark / (data.length / 4);
  }, url);
}

/** The code that an authenticator app shows (RFC 6238). */
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
