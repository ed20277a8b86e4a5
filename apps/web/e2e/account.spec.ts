import { expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { indexTimes } from './index-times.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { codeSentTo, freshNames, markNoticesRead, newCustomer, openApp, readNotices, reopen } from './new-customer.ts';

test('a visitor signs up by phone, gets test money, and sees it in the account details', async ({ page, request }) => {
  const { username, phone } = freshNames();
  await openApp(page, '/pages/accountDetails/accountDetails');

  // Without a session the page leads to sign-in, and from there to sign-up.
  await expect(page).toHaveURL(/#\/pages\/login\/login\?from=%2Fpages%2FaccountDetails%2FaccountDetails/);
  await page.getByRole('button', { name: 'สมัครสมาชิก' }).click();

  // Every empty field of the step shows an error, and the first one has the focus.
  const next = page.getByRole('button', { name: 'ถัดไป' });
  await next.click();
  const phoneField = page.getByLabel('หมายเลขโทรศัพท์');
  await expect(phoneField).toBeFocused();
  await expect(phoneField).toHaveAccessibleDescription('กรุณากรอกหมายเลขโทรศัพท์แล้วลองอีกครั้ง!');
  await expect(page.getByText(bound('กรุณากรอกรหัสแล้วลองอีกครั้ง'))).toBeVisible();
  // A demo fills in its own invite code.
  await expect(page.getByLabel('รหัสเชิญ')).toHaveValue('WELCOME');

  // People type the national number with its leading zero.
  await phoneField.fill(`0${phone.slice(3)}`);
  await page.getByRole('button', { name: 'ส่งรหัส' }).click();
  await expect(page.getByRole('button', { name: /ส่งใหม่ใน (60|5\d) วิ/ })).toBeDisabled();
  const codeField = page.getByLabel('รหัสยืนยัน', { exact: true });
  const code = await codeSentTo(request, phone);
  // A wrong code shows an error at once, at its field.
  await codeField.fill(code === '000000' ? '000001' : '000000');
  await expect(codeField).toHaveAttribute('aria-invalid', 'true');
  await codeField.fill(code);

  // The right code opens the second step, whose fields show faults while one types and when one leaves them.
  const name = page.getByRole('textbox', { name: 'ชื่อผู้ใช้' });
  const password = page.getByLabel('รหัสผ่านเข้าสู่ระบบ');
  await expect(name).toBeFocused();
  await next.click();
  for (const sentence of ['กรุณากรอกชื่อผู้ใช้', 'กรุณากรอกรหัสผ่าน']) {
    await expect(page.getByText(bound(sentence))).toBeVisible();
  }
  await name.fill('9');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill(username);
  await expect(name).not.toHaveAttribute('aria-invalid');
  await password.fill('password1');
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await password.fill('Rain7drop');
  await expect(password).toHaveAccessibleDescription(bound('ใช้ได้ ไม่อยู่ในรหัสที่เดาง่าย'));

  // The browser's Back and the page's own go one step and lose nothing.
  await page.goBack();
  await expect(phoneField).toHaveValue(`0${phone.slice(3)}`);
  await next.click();
  await expect(name).toHaveValue(username);
  await expect(password).toHaveValue('Rain7drop');
  await next.click();

  // The page asks for the payment password twice, and the first repetition is wrong.
  await expect(page.getByText('ขั้นที่ 1 จาก 2')).toBeVisible();
  await page.keyboard.type('493027');
  await expect(page.getByText('ขั้นที่ 2 จาก 2')).toBeVisible();
  await page.keyboard.type('493028');
  await expect(page.getByText('รหัสทั้งสองครั้งไม่ตรงกัน กรุณาตั้งใหม่')).toBeVisible();
  for (const round of [1, 2]) {
    await expect(page.getByText(`ขั้นที่ ${round} จาก 2`)).toBeVisible();
    await page.keyboard.type('493027');
  }
  await expect(page.getByText(bound('ตั้งแล้ว 6 หลัก'))).toBeVisible();
  await page.getByRole('button', { name: 'สร้างบัญชี' }).click();
  await expect(page.getByText(bound('กรุณาอ่านและยอมรับข้อตกลง'))).toBeVisible();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'สร้างบัญชี' }).click();
  await expect(page.getByRole('heading', { name: 'สร้างบัญชีแล้ว' })).toBeFocused();
  await page.getByRole('button', { name: 'ไปต่อ' }).click();

  // Returns to the page that the visitor wanted.
  await expect(page).toHaveURL(/#\/pages\/accountDetails\/accountDetails$/);
  await readNotices(page);
  await expect(page.getByText('ยังไม่มีรายการ')).toBeVisible();

  await page.goto('/#/pages/mine/mine');
  await page.getByRole('button', { name: 'รับเงินทดสอบ' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '10,000 USDT', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^รับ 10,000/ })
    .click();
  await expect(page.getByRole('definition').first()).toHaveText('10,000.00 USDT');

  await page.getByRole('button', { name: 'รายการเดินบัญชี' }).click();
  await expect(page.getByText('+10,000.00 USDT')).toBeVisible();
  await page.getByRole('tab', { name: 'รายจ่าย' }).click();
  await expect(page.getByText('ยังไม่มีรายการ')).toBeVisible();
});

test('the account page shows the total over 30 days, and a finger or a key selects a day', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  const totals = Array.from({ length: 30 }, (_, n) => ({
    at: new Date(Date.UTC(2026, 10, 1 + n)).toISOString(),
    total: n < 12 ? '0.000000' : `${1_000 + 40 * n + (n % 4) * 35}.500000`,
  }));
  await page.route('**/api/users/account/days', (route) => route.fulfill({ json: { ret: 1, msg: '', data: totals } }));
  await openApp(page, '/pages/mine/mine', { token });
  await readNotices(page);
  const days = page.getByRole('slider', { name: 'กราฟสินทรัพย์ 30 วัน' });
  // The slider begins at the first day with money and ends now.
  await expect(days).toHaveAttribute('aria-valuemax', '18');
  await days.focus();
  await days.press('ArrowLeft');
  await expect(days).toHaveAttribute('aria-valuetext', /^29 พ\.ย\. · 2,195\.50.USDT$/);
  await expectAccessible(page, 'mine with 30 days');
  await page.getByRole('button', { name: /^ซ่อน/ }).click();
  await expect(days).toHaveCount(0);
});

test('S5.1 S5.2 sign-in requires both fields and the agreement, keeps typed text, and returns to the page before', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  await openApp(page, '/pages/mine/setting', { language: 'en' });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Username, phone or email')).toHaveAccessibleDescription(
    'Please enter your username and password first!',
  );
  await expect(page.getByText('Please make sure to read the agreement and try again!')).toBeVisible();

  await page.getByLabel('Username, phone or email').fill(customer.username);
  await page.getByLabel('Login password').fill('Wrong1word');
  await page.getByRole('button', { name: 'Read the agreement' }).click();
  await expect(page.getByRole('dialog').getByText('Sathorn').first()).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('checkbox')).toBeChecked();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('The username or password is wrong.');
  await expect(page.getByLabel('Username, phone or email')).toHaveValue(customer.username);

  await page.getByLabel('Login password').fill(customer.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/#\/pages\/mine\/setting$/);
});

test('settings: nickname, currency, language, colours, and signing out', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/mine/setting', { token, language: 'en' });
  await readNotices(page);

  await page.getByRole('button', { name: /^Nickname/ }).click();
  await page.getByLabel('Nickname').fill('ฝนแรก');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: /^Nickname/ })).toContainText('ฝนแรก');

  await page.getByRole('button', { name: /^Display currency/ }).click();
  // A choice takes effect on the press and returns at once.
  await page.getByRole('radio', { name: /Japanese yen/ }).click();
  await expect(page.getByRole('button', { name: /^Display currency/ })).toContainText('Japanese yen');

  await page.getByRole('button', { name: /^Theme/ }).click();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('radio', { name: 'العربية' }).click();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('الإعدادات');

  await page.getByRole('button', { name: 'تسجيل الخروج' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'تسجيل الخروج' }).click();
  await expect(page).toHaveURL(/#\/pages\/index\/index$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('S5.7 a new password is typed twice, needs the old one, and signs out other devices', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  const other = await request.post('/api/users/login', {
    form: { username: customer.username, password: customer.password },
  });
  const { token: otherToken } = (await other.json()).data;
  await openApp(page, '/pages/mine/setting/password', { token: customer.token, language: 'en' });
  await readNotices(page);

  await page.getByLabel('Current password').fill('Not1this');
  await page.getByLabel('New password', { exact: true }).fill('Sun8shine');
  await page.getByLabel('Confirm new password').fill('Sun9shine');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Confirm new password')).toHaveAccessibleDescription(
    'The two passwords entered are inconsistent!',
  );
  await page.getByLabel('Confirm new password').fill('Sun8shine');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription('The current password is wrong.');
  await expect(page.getByLabel('Current password')).toBeFocused();
  await page.getByLabel('Current password').fill(customer.password);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Password changed', { exact: true })).toBeVisible();

  const ended = await request.get('/api/users/info', { headers: { token: otherToken } });
  expect((await ended.json()).ret).toBe(-1);
});

test('a wrong payment password is reported, and the right one allows the change', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await openApp(page, '/pages/mine/setting/tradePwd', { token: customer.token, language: 'en' });
  await readNotices(page);
  const enter = async (...pins: string[]) => {
    for (const [step, pin] of pins.entries()) {
      await expect(page.getByText(`Step ${step + 1} of 3`)).toBeVisible();
      await page.getByRole('group').focus();
      await page.keyboard.type(pin);
    }
  };
  await enter('111222', '582914', '582914');
  await expect(
    page.getByText('Wrong payment password. 4 attempts left before it is locked for 24 hours.'),
  ).toBeVisible();
  await enter(customer.paypass, '582914', '582914');
  await expect(page.getByText('Payment password set')).toBeVisible();
});

test('a code resets a forgotten payment password; a wrong code returns to the code’s step', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  await openApp(page, '/pages/mine/setting/paypass', { token: customer.token, language: 'en' });
  await readNotices(page);
  const choose = async () => {
    for (const step of [1, 2]) {
      await expect(page.getByText(`Step ${step} of 2`)).toBeVisible();
      await page.keyboard.type('582914');
    }
  };
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByLabel('Verification code')).toHaveAccessibleDescription(
    'Please enter the code and try again!',
  );
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeDisabled();
  const code = await codeSentTo(request, customer.phone);
  await page.getByLabel('Verification code').fill(code === '000000' ? '111111' : '000000');
  await page.getByRole('button', { name: 'Next' }).click();
  await choose();
  await expect(page.getByLabel('Verification code')).toHaveAccessibleDescription(
    'The verification code is wrong or has expired.',
  );
  await expect(page.getByLabel('Verification code')).toBeFocused();
  await page.getByLabel('Verification code').fill(code);
  // A customer with a payment password sees no offer to set one.
  await page.getByRole('button', { name: 'Set payment password' }).click();
  await expect(page.getByText('Payment password set')).toBeVisible();
  const changed = await request.post('/api/users/edit/paypass', {
    headers: { token: customer.token },
    form: { old: '582914', password: '493027', confirm: '493027' },
  });
  expect((await changed.json()).ret).toBe(1);
});

test('a new phone number needs its code and the payment password, and each is refused while wrong', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  const { phone } = freshNames();
  await openApp(page, '/pages/mine/setting/phone', { token: customer.token, language: 'en' });
  await readNotices(page);
  await page.getByLabel('New phone number').fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeDisabled();
  const code = await codeSentTo(request, phone);
  const codeField = page.getByLabel('Verification code');
  const sheet = page.getByRole('dialog');

  await codeField.fill(code === '000000' ? '111111' : '000000');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByText(`Change your phone number to ${phone}`)).toBeVisible();
  await sheet.getByRole('group').focus();
  await page.keyboard.type(customer.paypass);
  await expect(sheet).toHaveCount(0);
  await expect(codeField).toHaveAccessibleDescription('The verification code is wrong or has expired.');
  await expect(codeField).toBeFocused();

  await codeField.fill(code);
  await page.getByRole('button', { name: 'Save' }).click();
  await sheet.getByRole('group').focus();
  await page.keyboard.type('111222');
  await expect(
    sheet.getByText('Wrong payment password. 4 attempts left before it is locked for 24 hours.'),
  ).toBeVisible();
  await sheet.getByRole('group').focus();
  await page.keyboard.type(customer.paypass);
  await expect(page.getByText('Saved')).toBeVisible();
  // The notice of the change is a modal or a toast, depending on whether it arrives before or after leaving the page.
  await markNoticesRead(request, customer.token);
  await reopen(page, '/pages/mine/setting/phone');
  await expect(page.getByText(phone)).toBeVisible();
});

test('a picture is uploaded as avatar, and a file that is not a picture is refused', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/mine/setting/avatar', { token, language: 'en' });
  await readNotices(page);
  const choose = page.getByLabel('Choose a picture');
  await choose.setInputFiles({ name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expect(page.getByRole('alert')).toHaveText(
    'This device can’t open the file as a picture. Please choose a JPEG, PNG or WebP picture.',
  );
  // A picture of one red pixel.
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
  await choose.setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
  await expect(page.getByText('Avatar changed')).toBeVisible();
  await expect(page.locator('.ui-avatar img')).toHaveAttribute('src', /^data:image\//);
});

test('the list of devices signs another device out', async ({ page, request }) => {
  const customer = await newCustomer(request);
  const other = await request.post('/api/users/login', {
    form: { username: customer.username, password: customer.password },
  });
  const { token: otherToken } = (await other.json()).data;
  await request.post('/api/users/message/reader', { form: { ids: 'all' }, headers: { token: customer.token } });
  await openApp(page, '/pages/mine/setting/sessions', { token: customer.token, language: 'en' });
  await expect(page.locator('.sessions').getByText('This device')).toHaveCount(1);
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('Device signed out')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign out' })).toHaveCount(0);
  const ended = await request.get('/api/users/info', { headers: { token: otherToken } });
  expect((await ended.json()).ret).toBe(-1);
});

test('a code resets a forgotten password', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await openApp(page, '/pages/login/forgetPwd', { language: 'en' });
  await page.getByLabel('Phone number').fill(`0${customer.phone.slice(3)}`);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeDisabled();
  await page.getByLabel('Verification code').fill(await codeSentTo(request, customer.phone));
  await page.getByLabel('New password', { exact: true }).fill('Sun8shine');
  await page.getByLabel('Confirm new password').fill('Sun8shine');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page).toHaveURL(/#\/pages\/login\/login$/);
  const again = await request.post('/api/users/login', {
    form: { username: customer.username, password: 'Sun8shine' },
  });
  expect((await again.json()).ret).toBe(1);
});

test('S4.15 notices lose their mark when they are opened', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/index/msgList', { token, language: 'en' });
  await expect(page.getByRole('tab', { name: 'Unread 1' })).toBeVisible();
  await page.locator('summary').first().click();
  await expect(page.getByRole('tab', { name: 'Unread', exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Unread', exact: true }).click();
  await expect(page.getByText('You’re all caught up')).toBeVisible();
});

test('hiding amounts hides them in every list, and any list can show them again', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  const post = (path: string, form: Record<string, string>) => request.post(path, { headers: { token }, form });
  await post('/demo/fund', { asset: 'USDT', amount: '54321' });
  const low = await indexTimes(request, 'BTC', 600n);
  for (const tif of ['GTC', 'IOC']) {
    await post('/api/coin/trans/add', {
      code: 'BTC',
      side: 'buy',
      type: 'limit',
      price: low,
      quantity: '0.321',
      tif,
    });
  }
  await openApp(page, '/pages/mine/mine', { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'ซ่อนยอดเงิน' }).click();
  const eye = page.getByRole('button', { name: 'แสดงยอดเงิน' });
  for (const [path, amount] of [
    ['/pages/accountDetails/accountDetails', '54,321'],
    ['/pages/contracts/orderList?status=all', '0.321'],
  ] as const) {
    await page.goto(`/#${path}`);
    await expect(page.getByText('••••••').first()).toBeVisible();
    await expect(page.getByText(amount)).toHaveCount(0);
    await eye.click();
    await expect(page.getByText(amount).first()).toBeVisible();
    await page.getByRole('button', { name: 'ซ่อนยอดเงิน' }).click();
  }
  await page.goto('/#/pages/Option/orderRecord/orderRecord');
  await expect(page.locator('.record-totals').getByText('••••••')).toHaveCount(3);
});

test('the page reports a session that was ended elsewhere, and signing in returns to it', async ({ page, request }) => {
  const { token, username, password } = await newCustomer(request);
  await openApp(page, '/pages/Option/Option?code=BTC', { token });
  await readNotices(page);
  await expect(page.getByRole('button', { name: 'ซื้อขึ้น' })).toBeEnabled();

  const other = await request.post('/api/users/login', { form: { username, password } });
  const headers = { token: (await other.json()).data.token as string };
  const list = await request.get('/api/users/sessions', { headers });
  const sessions = (await list.json()).data.items as { id: string; current: boolean }[];
  const shown = sessions.find(({ current }) => !current)?.id ?? '';
  await request.post('/api/users/sessions/end', { headers, form: { id: shown } });

  // The sign-in page opens by itself.
  await expect(page.getByText('กรุณาเข้าสู่ระบบอีกครั้ง')).toBeVisible();
  await expect(page).toHaveURL(/#\/pages\/login\/login\?from=/);
});

test('a list with an empty page before its last one is not shown as empty', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '25' } });
  await request.post('/api/users/message/reader', { form: { ids: 'all' }, headers: { token } });
  // Answers like the server when a search ends before it reaches the wanted line.
  let isFirst = true;
  await page.route('**/api/users/account/lists*', async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const answer = await route.fetch();
    const body = await answer.json();
    body.data = { ...body.data, items: [], next: '0' };
    await route.fulfill({ response: answer, json: body });
  });
  await openApp(page, '/pages/accountDetails/accountDetails', { token });
  await expect(page.getByText('+25.00')).toBeVisible();
});

test('an unreachable server is reported with a retry', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await page.route('**/api/users/account/lists*', (route) => route.abort());
  await openApp(page, '/pages/accountDetails/accountDetails', { token, language: 'en' });
  await readNotices(page);
  await expect(page.getByRole('alert')).toContainText('Records couldn’t be loaded');
  await page.unroute('**/api/users/account/lists*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No records yet')).toBeVisible();
});

const PAGES = [
  '/pages/mine/mine',
  '/pages/mine/setting',
  '/pages/mine/setting/avatar',
  '/pages/mine/setting/nickname',
  '/pages/mine/setting/phone',
  '/pages/mine/setting/password',
  '/pages/mine/setting/tradePwd',
  '/pages/mine/setting/paypass',
  '/pages/mine/setting/chooseMoneyType',
  '/pages/mine/setting/sessions',
  '/pages/mine/setting/push',
  '/pages/accountDetails/accountDetails',
  '/pages/index/msgList',
  '/pages/login/login',
  '/pages/login/regist',
  '/pages/login/forgetPwd',
];

// specification.spec.ts checks the other themes of these languages.
for (const [language, theme] of [['th', 'dark']] as const) {
  test(`axe finds nothing on the account pages, ${language}, ${theme}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    await request.post('/api/users/message/reader', { form: { ids: 'all' }, headers: { token } });
    await openApp(page, '/pages/mine/mine', { token, language, theme });
    for (const path of PAGES) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
  });
}
