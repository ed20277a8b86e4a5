import { type APIRequestContext, expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp, readNotices, reopen } from './new-customer.ts';

const DEPOSIT = '/pages/Recharge/Recharge';
const GROUP = /^[0-9A-Fa-f]{4}$/;
/** A one-pixel picture. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('test USDT sent on the chain is found by itself, confirmed live and credited once', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/mine/mine', { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'ฝาก', exact: true }).click();
  await expect(page).toHaveURL(/Recharge\/Recharge/);

  // The address is shown in full, in groups of four, and is the customer's own.
  await expect(page.getByRole('img', { name: /^QR ของที่อยู่ฝาก/ })).toBeVisible();
  const groups = await page.locator('.address-groups > span').allTextContents();
  expect(groups[0]).toBe('0x');
  expect(groups.slice(1)).toHaveLength(10);
  expect(groups.slice(1).every((group) => GROUP.test(group))).toBe(true);
  await expect(page.getByText(/^ส่งเฉพาะ USDT บน/)).toBeVisible();

  await page.getByRole('button', { name: 'ส่งเงินทดสอบ 200 USDT' }).click();
  // The progress is visible at the place where the form was sent.
  const sent = page.locator('.deposit-sent');
  await expect(sent.getByRole('progressbar')).toBeInViewport();
  await expect(sent).toContainText('200.00');
  const row = page.getByRole('region', { name: 'กำลังดำเนินการ' }).getByRole('button');
  await expect(row).toContainText('200.00');
  await row.click();
  await expect(page).toHaveURL(/Recharge\/orderDetails/);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByText('ยังใช้ไม่ได้ และยังไม่รวมในยอดของคุณ')).toBeVisible();
  await expect(page.getByText('เข้าบัญชีแล้ว')).toBeVisible();
  await expect(page.getByText('ยืนยันแล้ว 12 จาก 12')).toBeVisible();

  // A notice announces that the money has arrived: as a modal or a toast, depending on whether it arrives before or
  // after the next page.
  const unread = async () =>
    (await (await request.get('/api/users/message/unread', { headers: { token } })).json()).data.unread;
  await expect.poll(unread).toBe(1);
  await markNoticesRead(request, token);
  await reopen(page, '/pages/accountDetails/accountDetails');
  const posting = page.getByRole('button', { name: /^เงินฝาก/ });
  await expect(posting).toContainText('+200.00');
  await posting.click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('ก่อนรายการ')).toBeVisible();
  await expect(sheet.getByText('200.00 USDT').last()).toBeVisible();

  // Goes from the posting to the deposits, whose filters are the specification's.
  await sheet.getByRole('button', { name: 'ดูรายการที่เกี่ยวข้อง' }).click();
  await expect(page).toHaveURL(/Recharge\/record/);
  await page.getByRole('tab', { name: 'สำเร็จ', exact: true }).click();
  await expect(page.getByRole('tabpanel').getByRole('button')).toContainText('+200.00');
  await page.getByRole('tab', { name: 'ยังไม่สำเร็จ' }).click();
  await expect(page.getByText('ยังไม่มีรายการฝาก')).toBeVisible();
});

/** The server finds a transaction once a block contains it. */
async function untilOnChain(request: APIRequestContext, token: string, hash: string): Promise<void> {
  const find = async () => {
    const answer = await request.post('/api/pay/submit', { headers: { token }, form: { channel: 'testnet', hash } });
    return ((await answer.json()) as { data?: { code?: string } }).data?.code;
  };
  await expect.poll(find, { timeout: 120_000 }).toBe('hash_of_another');
}

test('a malformed hash is refused on the device; for any other hash the page shows the result of its checks', async ({
  page,
  request,
}) => {
  const owner = await newCustomer(request);
  const stranger = await newCustomer(request);
  const sent = await request.post('/api/pay/demo', {
    headers: { token: owner.token },
    form: { channel: 'testnet', amount: '50' },
  });
  const { hash } = ((await sent.json()) as { data: { hash: string } }).data;
  await untilOnChain(request, stranger.token, hash);

  await openApp(page, DEPOSIT, { token: stranger.token });
  await readNotices(page);
  await page.getByLabel(bound('หากส่งแล้วแต่ยังไม่เห็นรายการ ให้วางแฮชธุรกรรม')).fill('0x1234');
  await page.getByRole('button', { name: 'ตรวจ', exact: true }).click();
  await expect(page.getByText('รูปแบบแฮชไม่ถูกต้อง ต้องเป็นตัวอักษรและตัวเลขอย่างน้อย 60 ตัว')).toBeVisible();

  // Another customer's deposit, typed in another case: it exists but does not belong to this customer.
  await page.getByLabel(bound('หากส่งแล้วแต่ยังไม่เห็นรายการ ให้วางแฮชธุรกรรม')).fill(hash.toUpperCase().replace('0X', '0x'));
  await page.getByRole('button', { name: 'ตรวจ', exact: true }).click();
  await expect(page.getByText('ไม่พบการฝากของคุณในธุรกรรมนี้')).toBeVisible();
  await expect(page.locator('.findings > li')).toHaveCount(4);
  await expect(page.locator('.findings > [data-finding="yes"]')).toHaveCount(2);
  await expect(page.locator('.findings > [data-finding="no"]')).toContainText('ส่งมาที่อยู่ของคุณ');

  await page.getByLabel('แฮชธุรกรรมที่จะตรวจ').fill(`0x${'8beaf74b'.repeat(8)}`);
  await page.getByRole('button', { name: 'ตรวจแฮชอื่น' }).click();
  await expect(page.locator('.findings > [data-finding="no"]')).toContainText('มีธุรกรรมนี้อยู่จริง');

  await page.evaluate((token) => localStorage.setItem('token', token), owner.token);
  await reopen(page, `${DEPOSIT}?by=crypto&find=${hash}`);
  await readNotices(page);
  await expect(page.getByText('พบรายการฝากของคุณ')).toBeVisible();
});

test('PromptPay keeps the amount within its limits, fixes the rate, and lets staff review the uploaded slip', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await openApp(page, `${DEPOSIT}?by=promptpay`, { token });
  await readNotices(page);
  await page.getByLabel('จำนวนเงินที่จะโอน').fill('99');
  await expect(page.getByText('ขั้นต่ำ ฿100.00')).toBeVisible();
  await page.getByLabel('จำนวนเงินที่จะโอน').fill('๖๖๕๐');
  await page.getByRole('button', { name: 'สร้าง QR PromptPay' }).click();
  await expect(page).toHaveURL(/Recharge\/qrpay/);
  await expect(page.getByRole('img', { name: /QR PromptPay/ })).toBeVisible();
  await expect(page.getByText('อัตรานี้ใช้ได้อีก')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^1[45]:[0-5]\d$/);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'บันทึกรูป' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^promptpay-.*\.png$/);

  await page.locator('input[type=file]').setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: DOT });
  await page.getByRole('button', { name: 'ส่งสลิป', exact: true }).click();
  await expect(page.getByText(bound('ได้รับสลิปแล้ว กำลังตรวจสอบกับธนาคาร'))).toBeVisible();

  await page.getByRole('button', { name: 'แจ้งว่าโอนแล้ว' }).click();
  await expect(page.getByText('ธนาคารทดสอบแจ้งแล้ว')).toBeVisible();

  // An operator must match the bank's line; until then the deposit is pending and nothing is credited.
  await page.goto('/#/pages/Recharge/record?status=undone');
  const row = page.getByRole('tabpanel').getByRole('button', { name: /^PromptPay/ });
  await expect(row).toContainText('กำลังตรวจสอบ');
  await row.click();
  await expect(page).toHaveURL(/Recharge\/orderDetails/);
  await expect(page.getByText('เจ้าหน้าที่กำลังตรวจสลิป')).toBeVisible();
  const user = await request.get('/api/users/info', { headers: { token } });
  expect(((await user.json()) as { data: { balance: string } }).data.balance).toBe('0.000000');
});

test('a bank transfer shows the account and the reference to copy', async ({ page, request, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { token } = await newCustomer(request);
  await openApp(page, `${DEPOSIT}?by=bank`, { token, language: 'en' });
  await readNotices(page);
  await page.getByLabel('Amount to pay').fill('1000');
  await page.getByRole('button', { name: 'Show bank details' }).click();
  await expect(page).toHaveURL(/Recharge\/bankpay/);
  await page.getByRole('button', { name: 'Copy amount' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1000.00');
});

test('failed channels are reported, and the retry loads them', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await page.route('**/api/pay/lists', (route) => route.fulfill({ status: 500, body: '' }));
  await openApp(page, DEPOSIT, { token, language: 'en' });
  await readNotices(page);
  await expect(page.getByRole('alert')).toContainText('Deposit methods couldn’t be loaded');
  await page.unroute('**/api/pay/lists');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeVisible();
});

for (const [language, theme] of [['ar', 'dark']] as const) {
  test(`axe finds nothing on the pages of deposits, and nothing is too wide: ${language}, ${theme}`, async ({
    page,
    request,
  }) => {
    const { token } = await newCustomer(request);
    const ordered = await request.post('/api/pay/submit', {
      headers: { token },
      form: { channel: 'promptpay', amount: '1000' },
    });
    const { id } = ((await ordered.json()) as { data: { id: string } }).data;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, DEPOSIT, { token, language, theme });
    await readNotices(page);
    for (const path of [
      DEPOSIT,
      `${DEPOSIT}?by=promptpay`,
      `${DEPOSIT}?by=crypto&find=`,
      '/pages/Recharge/record',
      `/pages/Recharge/qrpay?id=${id}`,
      `/pages/Recharge/orderDetails?id=${id}`,
      '/pages/accountDetails/accountDetails',
      '/pages/accountDetails/accountDetails?setup=recharge',
    ]) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
  });
}
