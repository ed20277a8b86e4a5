import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { bound } from './bound.ts';
import { codeSentTo, freshNames, type NewCustomer, newCustomer, openApp, readNotices, reopen } from './new-customer.ts';

const OPTION = '/pages/Option/Option_old';
const MARKET = '/pages/contracts/contracts';

async function fundedCustomer(request: APIRequestContext): Promise<NewCustomer> {
  const customer = await newCustomer(request);
  const funded = await request.post('/demo/fund', {
    headers: { token: customer.token },
    form: { asset: 'USDT', amount: '1000' },
  });
  expect((await funded.json()).ret).toBe(1);
  return customer;
}

const stake = (page: Page) => page.getByLabel('เงินลงทุน');
const price = (page: Page) => page.locator('input[name=price]');
const size = (page: Page) => page.locator('input[name=size]');
const side = (page: Page, name: 'ซื้อ' | 'ขาย') => page.locator('.ticket-form').getByText(name, { exact: true }).first();
const elsewhereAndBack = async (page: Page): Promise<void> => {
  await page.goto('/#/pages/coinList/index');
  await expect(page.locator('.coin-row')).toHaveCount(8);
  await page.goBack();
};

async function signIn(page: Page, { username, password }: NewCustomer): Promise<void> {
  await page.getByLabel(/ชื่อผู้ใช้/).fill(username);
  await page.getByLabel('รหัสผ่าน', { exact: false }).first().fill(password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click();
}

/** Signing in also creates a notice, so there may be several. */
async function readAllNotices(page: Page): Promise<void> {
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expect(async () => {
    // The notice may have closed already since the last look.
    const read = page.getByRole('alertdialog').getByRole('button');
    if ((await read.count()) > 0) await read.click({ timeout: 1_000 });
    await expect(page.getByRole('alertdialog')).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
}

test('text typed into an option’s ticket is restored per coin, and is never stored', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await openApp(page, `${OPTION}?code=BTC`, { token });
  await readNotices(page);
  await page.getByText('30 วิ').click();
  await stake(page).fill('123.45');
  await elsewhereAndBack(page);
  await expect(stake(page)).toHaveValue('123.45');
  await expect(page.getByRole('radio', { name: /30 วิ/ })).toBeChecked();

  await page.goto(`/#${OPTION}?code=ETH`);
  await expect(stake(page)).toHaveValue('');
  await page.goBack();
  await expect(stake(page)).toHaveValue('123.45');
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain('123.45');
});

test('a draft survives a session that the server ended, but only for the same customer', async ({ page, request }) => {
  const [first, other] = [await fundedCustomer(request), await newCustomer(request)];
  await openApp(page, '/pages/login/login');
  await signIn(page, first);
  await readAllNotices(page);
  await page.goto(`/#${OPTION}?code=BTC`);
  await stake(page).fill('123.45');

  const endSession = async () => {
    const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
    await request.post('/api/users/logout', { headers: { token } });
    await expect(page).toHaveURL(/login\/login\?from=/);
  };
  const sent: string[] = [];
  page.on('request', (made) => made.url().endsWith('/order/add') && sent.push(made.url()));
  await endSession();
  await signIn(page, first);
  await expect(page).toHaveURL(/code=BTC$/);
  await expect(stake(page)).toHaveValue('123.45');

  await endSession();
  await signIn(page, other);
  await expect(page).toHaveURL(/code=BTC$/);
  await expect(stake(page)).toHaveValue('');
  expect(sent).toEqual([]);
});

test('each side of a contract’s ticket keeps its own draft until it is sent', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await openApp(page, `${MARKET}?code=SOL`, { token });
  await readNotices(page);
  await expect(price(page)).not.toHaveValue('');
  const index = Number(await price(page).inputValue());
  const low = (index * 0.9).toFixed(2);
  await price(page).fill(low);
  await size(page).fill('1.5');
  await side(page, 'ขาย').click();
  // The price is copied to a newly opened side; the quantity is not.
  await expect(price(page)).toHaveValue(low);
  await expect(size(page)).toHaveValue('');
  const high = (index * 1.1).toFixed(2);
  await price(page).fill(high);
  await size(page).fill('0.7');

  await elsewhereAndBack(page);
  await expect(price(page)).toHaveValue(high);
  await expect(size(page)).toHaveValue('0.7');
  await side(page, 'ซื้อ').click();
  await expect(price(page)).toHaveValue(low);
  await expect(size(page)).toHaveValue('1.5');
  await page.goto(`/#${MARKET}?code=ETH`);
  await expect(size(page)).toHaveValue('');
  await expect(price(page)).not.toHaveValue(low);
  await page.goBack();

  await page.locator('.ticket-form > .ui-button').click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อ 1.5/ })
    .click();
  await expect(page.locator('.order-row')).toHaveCount(1);
  await expect(size(page)).toHaveValue('');
  await expect(price(page)).toHaveValue(low);
  // The app forgets a sent ticket, so the next visit starts with the current price.
  await elsewhereAndBack(page);
  await expect(price(page)).not.toHaveValue('');
  await expect(price(page)).not.toHaveValue(low);
});

test('an order without an answer stays the same order after leaving the page', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await openApp(page, `${MARKET}?code=ADA`, { token });
  await readNotices(page);
  await expect(price(page)).not.toHaveValue('');
  await price(page).fill((Number(await price(page).inputValue()) * 0.9).toFixed(4));
  await size(page).fill('100');
  const keys: (string | undefined)[] = [];
  await page.route('**/api/coin/trans/add', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    await route.fetch();
    await route.abort();
  });
  const send = async () => {
    await page.locator('.ticket-form > .ui-button').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^ซื้อ 100/ })
      .click();
  };
  await send();
  await expect(page.locator('.order-row')).toHaveCount(1);
  await elsewhereAndBack(page);
  await expect(size(page)).toHaveValue('100');
  await page.unroute('**/api/coin/trans/add');
  page.on('request', (made) => {
    if (made.url().endsWith('/coin/trans/add')) keys.push(made.headers()['idempotency-key']);
  });
  await send();
  await expect(size(page)).toHaveValue('');
  await expect(page.locator('.order-row')).toHaveCount(1);

  // Changing the draft makes it another order.
  await size(page).fill('100');
  await send();
  await expect(page.locator('.order-row')).toHaveCount(2);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});

async function askForCode(page: Page, request: APIRequestContext, phone: string): Promise<string> {
  await page.getByRole('button', { name: 'ส่งรหัส' }).click();
  await expect(page.getByRole('button', { name: /ส่งใหม่ใน/ })).toBeDisabled();
  return codeSentTo(request, phone);
}

test('a sign-up that the phone has unloaded is restored, except for its secrets', async ({ page, request }) => {
  const { phone } = freshNames();
  const national = phone.replace('+66', '0');
  await openApp(page, '/pages/login/regist');
  await expect(page.getByLabel('รหัสเชิญ')).toHaveValue('WELCOME');
  await page.getByLabel('หมายเลขโทรศัพท์').fill(national);
  const code = await askForCode(page, request, phone);
  await page.getByLabel('รหัสยืนยัน', { exact: true }).fill(code);
  const name = page.getByRole('textbox', { name: 'ชื่อผู้ใช้' });
  await name.fill('malee_typed');
  await page.getByLabel('รหัสผ่านเข้าสู่ระบบ').fill('Rain7drop');
  await page.reload();

  // The page opens at the unfinished step. A password is never stored.
  await expect(name).toHaveValue('malee_typed');
  await expect(page.getByLabel('รหัสผ่านเข้าสู่ระบบ')).toHaveValue('');
  await expect(page.getByText(bound('เราไม่เก็บรหัสผ่านไว้ในเครื่อง กรุณากรอกอีกครั้ง'))).toBeVisible();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).toContain('malee_typed');
  expect(stored).not.toContain('Rain7drop');
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
  await expect(page.getByLabel('หมายเลขโทรศัพท์')).toHaveValue(national);
  await expect(page.getByLabel('รหัสยืนยัน', { exact: true })).toHaveValue(code);

  // The code in an invitation link takes precedence.
  await reopen(page, '/pages/login/regist?code=FRIEND01');
  await expect(name).toHaveValue('malee_typed');
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
  await expect(page.getByLabel('รหัสเชิญ')).toHaveValue('FRIEND01');
});

test('leaving the sign-up and returning keeps the password in the page’s memory', async ({ page, request }) => {
  const { phone } = freshNames();
  await openApp(page, '/pages/login/login');
  await page.getByRole('button', { name: 'สมัครสมาชิก' }).click();
  await page.getByLabel('หมายเลขโทรศัพท์').fill(phone.replace('+66', '0'));
  await expect(page.getByLabel('รหัสเชิญ')).toHaveValue('WELCOME');
  await page.getByLabel('รหัสยืนยัน', { exact: true }).fill(await askForCode(page, request, phone));
  await page.getByRole('textbox', { name: 'ชื่อผู้ใช้' }).fill('malee_typed');
  await page.getByLabel('รหัสผ่านเข้าสู่ระบบ').fill('Rain7drop');
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click();
  await page.getByRole('button', { name: 'สมัครสมาชิก' }).click();

  // Both fields are filled in, so the payment password is next.
  await expect(page.getByText('ขั้นที่ 1 จาก 2')).toBeVisible();
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
  await expect(page.getByLabel('รหัสผ่านเข้าสู่ระบบ')).toHaveValue('Rain7drop');
});

test('a code from an SMS is filled in if the browser can read it', async ({ page, request }) => {
  const { phone } = freshNames();
  let code = '';
  await page.exposeFunction('readSms', async () => {
    await expect(async () => {
      code = await codeSentTo(request, phone);
    }).toPass();
    return code;
  });
  await page.addInitScript(() => {
    Object.defineProperty(window, 'OTPCredential', { value: class {} });
    const readSms = () => (window as never as { readSms: () => Promise<string> }).readSms();
    navigator.credentials.get = async (asked) => ('otp' in (asked ?? {}) ? ({ code: await readSms() } as never) : null);
  });
  await openApp(page, '/pages/login/regist');
  await page.getByLabel('หมายเลขโทรศัพท์').fill(phone.replace('+66', '0'));
  await expect(page.getByLabel('รหัสเชิญ')).toHaveValue('WELCOME');
  await page.getByRole('button', { name: 'ส่งรหัส' }).click();
  await expect(page.getByRole('textbox', { name: 'ชื่อผู้ใช้' })).toBeFocused();
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
  await expect(page.getByLabel('รหัสยืนยัน', { exact: true })).toHaveValue(code);
});
