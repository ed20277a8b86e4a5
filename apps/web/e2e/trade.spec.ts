import { readFile } from 'node:fs/promises';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const TRADE = '/pages/Option/Option?code=BTC';

async function fundedCustomer(request: APIRequestContext, amount = '1000'): Promise<{ token: string }> {
  const { token } = await newCustomer(request);
  const funded = await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount } });
  expect((await funded.json()).ret).toBe(1);
  return { token };
}

const stake = (page: Page) => page.getByLabel('เงินซื้อ');

test('a customer buys up at 30 s, sees it settle and verifies the receipt in the browser', async ({
  page,
  request,
}) => {
  const { token } = await fundedCustomer(request);
  await openApp(page, TRADE, { token });
  await readNotices(page);
  await expect(page.getByText('ใช้ได้ 1,000.00')).toBeVisible();

  // Thai digits are brought into the wire's grammar.
  await page.getByText('30 วิ').click();
  await stake(page).fill('๑๐๐');
  await expect(stake(page)).toHaveValue('100');
  await expect(page.getByText('ถ้าชนะ รับ 173.50 · ถ้าแพ้ −100.00')).toBeVisible();

  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('173.50 USDT')).toBeVisible();
  await sheet.getByRole('button', { name: /^ซื้อขึ้น 100/ }).click();

  // Open, counted down, started at the first tick after the acceptance.
  await expect(page.getByText('ขึ้น BTC 100 USDT')).toBeVisible();
  await expect(page.getByRole('timer')).toBeVisible();
  await expect(page.getByText(/^เริ่ม/)).toBeVisible();
  await expect(page.getByText('ใช้ได้ 900.00')).toBeVisible();

  // The result comes by itself, and every check of its receipt passes on this device.
  await expect(sheet.getByText('ใบยืนยันผลนี้ถูกต้องทุกข้อ')).toBeVisible({ timeout: 60_000 });
  await expect(sheet.getByText('8 จาก 8')).toBeVisible();
  await sheet.getByRole('button', { name: 'ดูใบยืนยันผล' }).click();
  await expect(page).toHaveURL(/orderRecord\/receipt\?id=/);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ดาวน์โหลดใบยืนยันผล' }).click();
  const receipt = await readFile(await (await download).path(), 'utf8');

  // The file holds for anybody; with one digit of the stake changed it does not.
  await page.goto('/#/pages/verify/index');
  await page.getByLabel('วางใบยืนยันผล (JSON)').fill(receipt);
  await page.getByRole('button', { name: 'ตรวจสอบ', exact: true }).click();
  await expect(page.getByText('ใบยืนยันผลนี้ถูกต้องทุกข้อ')).toBeVisible();
  const forged = receipt.replace('\\"stake\\":\\"100000000\\"', '\\"stake\\":\\"100000001\\"');
  expect(forged).not.toBe(receipt);
  await page.getByLabel('วางใบยืนยันผล (JSON)').fill(forged);
  await page.getByRole('button', { name: 'ตรวจสอบ', exact: true }).click();
  await expect(page.getByText(/ไม่ผ่านการตรวจสอบ/)).toBeVisible();
  await expect(page.getByText('ข้อความถูกแก้ไข')).toBeVisible();

  // It is in the history, and its result is not shown a second time.
  await page.goto('/#/pages/Option/orderRecord/orderRecord?tab=history');
  await expect(page.getByRole('tabpanel').getByText('BTC')).toHaveCount(1);
  await page.getByRole('tab', { name: 'ถืออยู่' }).click();
  await expect(page.getByText('ไม่มีคำสั่งที่ถืออยู่')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the ticket says what is wrong before anything is sent', async ({ page, request }) => {
  const { token } = await fundedCustomer(request, '50');
  await openApp(page, '/pages/Option/Option_old?code=ETH', { token });
  await readNotices(page);
  await expect(page.getByText('ใช้ได้ 50.00')).toBeVisible();
  for (const [typed, says] of [
    ['0.5', 'เงินซื้อขั้นต่ำคือ 1 USDT'],
    ['50.000001', 'เกินยอดที่ใช้ได้ 50 USDT'],
    ['1.1234567', 'ทศนิยมมากเกินไป'],
  ] as const) {
    await stake(page).fill(typed);
    await expect(stake(page)).toHaveAccessibleDescription(new RegExp(says.replaceAll(' ', '\\s')));
  }
  // Letters and signs do nothing; 100 % is to the last unit.
  await stake(page).fill('7');
  await stake(page).press('e');
  await stake(page).press('-');
  await expect(stake(page)).toHaveValue('7');
  await page.getByRole('button', { name: '100%' }).click();
  await expect(stake(page)).toHaveValue('50');
});

test('when prices stop, buying stops and says why', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  let isCut = false;
  await page.routeWebSocket(/\/api\/stream$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isCut) socket.send(message);
    });
  });
  await openApp(page, TRADE, { token });
  await readNotices(page);
  await expect(page.getByRole('button', { name: 'ซื้อขึ้น' })).toBeEnabled();
  isCut = true;
  await page.route('**/api/coin/**', (route) => route.abort());
  await expect(page.getByText('ราคาไม่มาถึงอุปกรณ์นี้')).toBeVisible();
  await expect(page.getByRole('button', { name: 'ซื้อขึ้น' })).toBeDisabled();
});

test('coins are found and sorted, and a press trades them', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await openApp(page, '/pages/coinList/index', { token });
  await readNotices(page);
  const rows = page.locator('.coin-row');
  await expect(rows).toHaveCount(8);
  await page.getByRole('button', { name: 'ราคา', exact: true }).click();
  await expect(rows.first()).toContainText('BTC');
  await page.getByLabel('ค้นหาเหรียญ').fill('sol');
  await expect(rows).toHaveCount(1);
  await rows.first().click();
  await expect(page).toHaveURL(/contracts\/contracts\?code=SOL/);
  await expect(page.getByRole('button', { name: 'SOL / USDT', exact: true })).toBeVisible();
});

test('a finger that moves up over the chart scrolls the page', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await page.setViewportSize({ width: 390, height: 600 });
  await openApp(page, TRADE, { token });
  await readNotices(page);
  const chart = await page.locator('.option-chart canvas').first().boundingBox();
  const devtools = await page.context().newCDPSession(page);
  let y = (chart?.y ?? 0) + 150;
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 160, y }] });
  for (let step = 0; step < 12; step += 1) {
    y -= 12;
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 160, y }] });
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(80);
});
