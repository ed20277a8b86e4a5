import { createHmac } from 'node:crypto';
import { type APIRequestContext, expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { type NewCustomer, newCustomer, openApp, reopen } from './new-customer.ts';

const WITHDRAW = '/pages/Withdraw/Withdraw';
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Returns the authenticator code (RFC 6238) that is valid `later` half minutes from now. */
function codeOf(key: string, later: number): string {
  const bits = [...key.replace(/[^A-Z2-7]/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Marks notices as read, because unread ones would cover the page. */
async function readAllNotices(request: APIRequestContext, { token }: NewCustomer): Promise<void> {
  await request.post('/api/users/message/reader', { headers: { token }, form: { ids: 'all' } });
}

async function addWallet(request: APIRequestContext, customer: NewCustomer, name: string): Promise<string> {
  const answer = await request.post('/api/users/bank/add', {
    headers: { token: customer.token },
    form: { type: 'wallet', name, coin: 'USDT', chain: 'testnet', address: ADDRESS, paypass: customer.paypass },
  });
  const { ret, msg, data } = await answer.json();
  expect(ret, msg).toBe(1);
  await readAllNotices(request, customer);
  return data.wallet.id;
}

async function fundedCustomer(request: APIRequestContext): Promise<NewCustomer> {
  const customer = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token: customer.token }, form: { asset: 'USDT', amount: '5000' } });
  await readAllNotices(request, customer);
  return customer;
}

test('a withdrawal to a new payee says when it will leave: on its card, in the button and in the confirmation', async ({
  page,
  request,
}) => {
  const customer = await fundedCustomer(request);
  await addWallet(request, customer, 'New wallet');
  await openApp(page, WITHDRAW, { token: customer.token });
  await expect(page.locator('.withdraw-waits')).toContainText('ใช้ได้ตั้งแต่');
  await page.getByRole('textbox', { name: 'จำนวน' }).fill('20');
  await page.getByRole('button', { name: /^ถอน 20\.00\sUSDT ส่งออก / }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText(/^ส่งออกได้ตั้งแต่ /)).toBeVisible();
  await expect(sheet.getByText('ผู้รับเพิ่งเพิ่มใหม่ จึงรอ 24 ชั่วโมงเพื่อความปลอดภัย')).toBeVisible();
});

test('S5.10 without a payee or a payment password, the page says what is missing', async ({ page, request }) => {
  const customer = await fundedCustomer(request);
  await openApp(page, '/pages/mine/mine', { token: customer.token });
  await page.getByRole('button', { name: 'ถอน', exact: true }).click();
  await expect(page.getByText('เหลืออีกหนึ่งขั้นตอน')).toBeVisible();
  await page.getByRole('tab', { name: 'บัญชีธนาคาร' }).click();
  await expect(page.getByText('บัญชีธนาคารชื่อของคุณเอง')).toBeVisible();

  await addWallet(request, customer, 'Cold wallet');
  await page.route('**/api/users/info', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, has_paypass: false } } });
  });
  await reopen(page, WITHDRAW);
  await page.getByRole('button', { name: 'ตั้งรหัสชำระเงิน' }).click();
  await expect(page).toHaveURL(/setting\/paypass/);
});

test('a withdrawal shows its terms, needs the payment password for the whole operation, waits, and can be cancelled', async ({
  page,
  request,
}) => {
  const customer = await fundedCustomer(request);
  await addWallet(request, customer, 'ฮาร์ดแวร์วอลเล็ต');
  await openApp(page, WITHDRAW, { token: customer.token });

  // The amount shows every fault before the page asks for anything else.
  const amount = page.getByLabel('จำนวนเงิน');
  await amount.fill('9');
  await expect(amount).toHaveAccessibleDescription('ขั้นต่ำ 10.00 USDT');
  await amount.fill('5000.000001');
  await expect(amount).toHaveAccessibleDescription('มากกว่ายอดที่ใช้ได้ 5,000.00 USDT');
  // The daily limit without certification.
  await amount.fill('1000.000001');
  await expect(amount).toHaveAccessibleDescription('วันนี้ถอนได้อีก 1,000.00 USDT');

  await amount.fill('1000');
  await expect(page.getByText('998.00 USDT')).toBeVisible();
  await expect(page.getByText('−2.00')).toBeVisible();
  await expect(page.getByText('ตั้งแต่ 1,000.00 USDT ต่อวัน มีผู้ตรวจหนึ่งคน')).toBeVisible();
  await expect(page.getByText('ผู้รับเพิ่งเพิ่มใหม่ จึงรอ 24 ชั่วโมงเพื่อความปลอดภัย')).toBeVisible();

  await page.getByRole('button', { name: 'ถอน 1,000.00 USDT' }).click();
  const sheet = page.getByRole('dialog', { name: 'ยืนยันการถอน' });
  await expect(sheet.getByText('ไปยัง ฮาร์ดแวร์วอลเล็ต')).toBeVisible();
  await expect(sheet.getByText('1,000.00 USDT')).toBeVisible();
  await expect(sheet.getByText(ADDRESS).first()).toBeAttached();
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type('000001');
  await expect(sheet.getByText('รหัสชำระเงินไม่ถูกต้อง เหลืออีก 4 ครั้งก่อนถูกล็อก 24 ชั่วโมง')).toBeVisible();
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type(customer.paypass);

  await expect(page).toHaveURL(/Withdraw\/orderDetails/);
  await expect(page.getByText('รอครบ 24 ชั่วโมงเพื่อความปลอดภัย')).toBeVisible();
  await expect(page.getByText('กันเงินแล้ว')).toBeVisible();
  await expect(page.getByRole('timer')).toBeVisible();
  const held = await request.get('/api/users/info', { headers: { token: customer.token } });
  expect(((await held.json()) as { data: { balance: string } }).data.balance).toBe('4000.000000');

  await page.getByRole('button', { name: 'ยกเลิกและรับคืน 1,000.00 USDT' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'ยกเลิกการถอน' }).click();
  await expect(page.getByText('ยกเลิกแล้ว เงินกลับเข้าบัญชี')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  const back = await request.get('/api/users/info', { headers: { token: customer.token } });
  expect(((await back.json()) as { data: { balance: string } }).data.balance).toBe('5000.000000');

  await page.goto('/#/pages/Withdraw/record');
  await page.getByRole('tab', { name: 'ยังไม่สำเร็จ' }).click();
  await expect(page.getByRole('tabpanel').getByRole('button', { name: /ฮาร์ดแวร์วอลเล็ต/ })).toContainText('ไม่สำเร็จ');
});

test('E8 a lost answer does not cause a second withdrawal', async ({ page, request }) => {
  const customer = await fundedCustomer(request);
  await addWallet(request, customer, 'Cold wallet');
  await openApp(page, WITHDRAW, { token: customer.token, language: 'en' });
  // The first request reaches the server, but its answer is lost.
  let isFirst = true;
  await page.route('**/api/users/extract', async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel('Amount').fill('100');
  await page.getByRole('button', { name: 'Withdraw 100.00 USDT' }).click();
  const sheet = page.getByRole('dialog', { name: 'Confirm withdrawal' });
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type(customer.paypass);
  await expect(sheet.getByText('No response yet. You can enter it again: it won’t be withdrawn twice')).toBeVisible();
  await expect(sheet.getByRole('group')).toBeFocused();
  // The same request within half a second would count as a double tap.
  await page.waitForTimeout(600);
  await page.keyboard.type(customer.paypass);
  await expect(page).toHaveURL(/Withdraw\/orderDetails/);
  const listed = await request.get('/api/users/account/lists', {
    headers: { token: customer.token },
    params: { setup: 'withdraw' },
  });
  expect(((await listed.json()) as { data: { items: unknown[] } }).data.items).toHaveLength(1);
});

test('a small withdrawal to a saved wallet is sent automatically and arrives on the chain', async ({
  page,
  request,
}) => {
  // The demo's own customer has a wallet that is more than a day old.
  const signed = await request.post('/api/users/login', { form: { username: 'nicha', password: 'Chao9Phraya' } });
  const { token } = ((await signed.json()) as { data: { token: string } }).data;
  await request.post('/api/users/message/reader', { headers: { token }, form: { ids: 'all' } });
  await openApp(page, WITHDRAW, { token });
  await page.getByLabel('จำนวนเงิน').fill('20');
  await expect(page.getByText('18.98 USDT')).toBeVisible();
  await expect(page.getByText('ต่ำกว่า 1,000.00 USDT ต่อวัน ส่งอัตโนมัติ ไม่ต้องรอคนตรวจ')).toBeVisible();
  await page.getByRole('button', { name: 'ถอน 20.00 USDT' }).click();
  await expect(page.getByRole('dialog').getByRole('group')).toBeFocused();
  await page.keyboard.type('830274');
  await expect(page).toHaveURL(/Withdraw\/orderDetails/);
  // The hash is shown during confirmation, and the final state appears by itself.
  await expect(page.getByRole('button', { name: 'คัดลอกแฮช' })).toBeVisible();
  await expect(page.getByText('ถึงปลายทางแล้ว')).toBeVisible();
  await expect(page.locator('.timeline > [data-state="done"]')).toHaveCount(3);
});

test('the authenticator’s code comes before the payment password', async ({ page, request }) => {
  const customer = await fundedCustomer(request);
  await addWallet(request, customer, 'Cold wallet');
  const headers = { token: customer.token };
  const started = await request.post('/api/users/second/start', { headers, form: { paypass: customer.paypass } });
  const { key } = ((await started.json()) as { data: { key: string } }).data;
  const confirmed = await request.post('/api/users/second/confirm', { headers, form: { otp: codeOf(key, 0) } });
  expect((await confirmed.json()).ret).toBe(1);
  await readAllNotices(request, customer);
  await openApp(page, WITHDRAW, { token: customer.token, language: 'en' });
  await page.getByLabel('Amount').fill('100');
  await page.getByRole('button', { name: 'Withdraw 100.00 USDT' }).click();
  const sheet = page.getByRole('dialog', { name: 'Confirm withdrawal' });
  const code = sheet.getByLabel('Code from your authenticator app');
  await code.fill('12');
  await sheet.getByRole('button', { name: 'Next' }).click();
  await expect(code).toHaveAccessibleDescription('Enter the 6 digits from the app');
  // Uses the next half minute's code, because activating the app has used the current one.
  await code.fill(codeOf(key, 1));
  await sheet.getByRole('button', { name: 'Next' }).click();
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type(customer.paypass);
  await expect(page).toHaveURL(/Withdraw\/orderDetails/);
});

test('without a connection the pages of money say that their data may be outdated', async ({
  page,
  request,
  context,
}) => {
  const customer = await fundedCustomer(request);
  await openApp(page, '/pages/Withdraw/record', { token: customer.token });
  await expect(page.getByText('ยังไม่มีรายการถอน')).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('ข้อมูลอาจไม่เป็นปัจจุบัน กำลังเชื่อมต่อใหม่')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('ข้อมูลอาจไม่เป็นปัจจุบัน กำลังเชื่อมต่อใหม่')).toHaveCount(0);

  // The strip covers no button.
  await reopen(page, WITHDRAW);
  const foot = page.locator('.page-foot .ui-button').last();
  await expect(foot).toBeVisible();
  await context.setOffline(true);
  const strip = page.locator('.shell-offline');
  await expect(strip).toBeVisible();
  const [button, covered] = [await foot.boundingBox(), await strip.boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(covered?.y ?? 0);
  await context.setOffline(false);
});

test('the statement names each posting, and is saved as a file for tax programs', async ({ page, request }) => {
  const customer = await fundedCustomer(request);
  await request.post('/demo/fund', { headers: { token: customer.token }, form: { asset: 'USDT', amount: '25' } });
  await openApp(page, '/pages/accountDetails/accountDetails', { token: customer.token });
  const chained = /^ทุกแถวต่อเนื่องจากแถวก่อนหน้า ถึง .+ \(2 แถว\) ตรวจแล้วบนโทรศัพท์เครื่องนี้$/;
  await expect(page.getByText(bound(chained))).toBeVisible();
  await expect(page.getByText('เข้า 5,025.00 · ออก 0.00')).toBeVisible();
  await page
    .getByRole('button', { name: /^เงินทดสอบ/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog', { name: 'เงินทดสอบ' });
  await expect(sheet.getByText('5,000.00 USDT')).toBeVisible();
  await expect(sheet.getByText('5,025.00 USDT')).toBeVisible();
  await expect(sheet.getByText('ยอดนี้ต่อเนื่องจากแถวก่อนหน้าพอดี')).toBeVisible();
  await page.keyboard.press('Escape');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ส่งออกเป็นไฟล์ CSV' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: bound('บันทึกไฟล์') })
    .click();
  const file = await (await saved).createReadStream();
  const text = (await file.toArray()).join('');
  const [head, first, second, ...rest] = text.trim().split('\r\n');
  expect(head).toMatch(/^date_utc,sent_amount,sent_currency,received_amount,received_currency,fee_amount/);
  expect(first).toContain(',5000.000000,USDT,,,demo_money,5000.000000,');
  expect(second).toContain(',25.000000,USDT,,,demo_money,5025.000000,');
  expect(rest).toEqual([]);
});

for (const [language, theme] of [['ar', 'dark']] as const) {
  test(`axe finds nothing on the pages of withdrawals, and nothing is too wide: ${language}, ${theme}`, async ({
    page,
    request,
  }) => {
    const customer = await fundedCustomer(request);
    const target = await addWallet(request, customer, 'Cold wallet');
    const asked = await request.post('/api/users/extract', {
      headers: { token: customer.token },
      form: { channel: 'testnet', target, amount: '150', paypass: customer.paypass },
    });
    const { id } = ((await asked.json()) as { data: { id: string } }).data;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, WITHDRAW, { token: customer.token, language, theme });
    for (const path of [
      WITHDRAW,
      `${WITHDRAW}?to=card`,
      '/pages/Withdraw/record',
      `/pages/Withdraw/orderDetails?id=${id}`,
      '/pages/accountDetails/accountDetails?setup=withdraw',
    ]) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
    await lookAt(page, WITHDRAW);
    await page.locator('input[name=amount]').fill('200');
    await expect(page.locator('.checkers-path')).toBeVisible();
    await page.locator('.page-foot button').click();
    await expect(page.getByRole('dialog').getByRole('group')).toBeFocused();
    await expectAccessible(page, 'the payment password');
  });
}
