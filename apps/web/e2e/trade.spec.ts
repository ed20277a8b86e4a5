import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { bound } from './bound.ts';
import { swipeUpOver } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const TRADE = '/pages/Option/Option?code=BTC';

async function fundedCustomer(request: APIRequestContext, amount = '1000'): Promise<{ token: string }> {
  const { token } = await newCustomer(request);
  const funded = await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount } });
  expect((await funded.json()).ret).toBe(1);
  return { token };
}

/** The ticket of a new customer with 1,000 USDT and no unread notices. */
async function openTicket(page: Page, request: APIRequestContext): Promise<string> {
  const { token } = await fundedCustomer(request);
  await openApp(page, TRADE, { token });
  await readNotices(page);
  await expect(page.getByText('ใช้ได้ 1,000.00')).toBeVisible();
  return token;
}

/** Starts adding up layout shifts; the returned function reads the sum. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const shifts: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.push(entry.value);
    }).observe({ type: 'layout-shift' });
    Object.assign(window, { shifts });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0));
}

const stake = (page: Page) => page.getByLabel('เงินลงทุน');

test('a customer buys up at 30 s, sees it settle and verifies the receipt in the browser', async ({
  page,
  request,
}) => {
  await openTicket(page, request);

  // Thai digits are converted to the wire format.
  await page.getByText('30 วิ').click();
  await stake(page).fill('๑๐๐');
  await expect(stake(page)).toHaveValue('100');
  await expect(page.locator('.ticket-buttons').getByText('รับ 173.50')).toHaveCount(2);
  await expect(page.locator('.ticket-buttons').getByText('เสีย 100.00')).toHaveCount(2);

  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('173.50 USDT')).toBeVisible();
  await sheet.getByRole('button', { name: /^ซื้อขึ้น 100/ }).click();

  // An open order with its countdown, started at the first tick after the acceptance.
  await expect(page.getByText('ขึ้น BTC 100 USDT')).toBeVisible();
  await expect(page.getByRole('timer')).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/^เริ่ม/)).toBeVisible();
  await expect(page.getByText('ใช้ได้ 900.00')).toBeVisible();

  // The result appears by itself, its receipt passes every check on this device, and the layout does not shift.
  const shiftsOf = await watchShifts(page);
  await expect(sheet.getByText(bound('ใบยืนยันผลนี้ผ่านการตรวจสอบทุกข้อ'))).toBeVisible();
  await expect(sheet.getByText('12 จาก 12')).toBeVisible();
  expect(await shiftsOf()).toBeLessThan(0.01);
  // Both ticks are named with their second.
  await expect(sheet.getByText(/จุดราคาที่ [\d,]+ · \d\d:\d\d:\d\d/)).toHaveCount(2);
  await sheet.getByRole('button', { name: 'ดูใบยืนยันผล' }).click();
  await expect(page).toHaveURL(/orderRecord\/receipt\?id=/);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ดาวน์โหลดใบยืนยันผล' }).click();
  const receiptFile = await (await download).path();
  const receipt = await readFile(receiptFile, 'utf8');

  // A stranger verifies what this phone has kept, offline, with the receipt beside it.
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ดาวน์โหลดหลักฐาน' }).click();
  const kept = await (await saved).path();
  const command = ['tools/verify/main.ts', receiptFile, '--kept', kept];
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(stdout).toMatch(/^Kept: 1 purchases, 1 receipts, [1-9][0-9]* ticks of [1-9] coins, /m);
  expect([status, stdout.includes('KEPT')]).toEqual([0, false]);

  // Anybody can verify the receipt's file; with one changed digit in the stake it fails.
  await page.goto('/#/pages/verify/index?tab=verify');
  await page.getByLabel('วางใบยืนยันผล (JSON)').fill(receipt);
  await page.getByRole('button', { name: 'ตรวจสอบ', exact: true }).click();
  await expect(page.getByText(bound('ใบยืนยันผลนี้ผ่านการตรวจสอบทุกข้อ'))).toBeVisible();
  const forged = receipt.replace('\\"stake\\":\\"100000000\\"', '\\"stake\\":\\"100000001\\"');
  expect(forged).not.toBe(receipt);
  await page.getByLabel('วางใบยืนยันผล (JSON)').fill(forged);
  await page.getByRole('button', { name: 'ตรวจสอบ', exact: true }).click();
  await expect(page.getByText(bound(/ไม่ผ่านการตรวจสอบ/))).toBeVisible();
  await expect(page.getByText('ข้อความถูกแก้ไข')).toBeVisible();

  // The history shows the order, and its result is not announced again.
  await page.goto('/#/pages/Option/orderRecord/orderRecord?tab=history');
  await expect(page.getByRole('tabpanel').getByText('BTC')).toHaveCount(1);
  await page.getByRole('tab', { name: 'ถืออยู่' }).click();
  await expect(page.getByText('ไม่มีคำสั่งที่ถืออยู่')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the ticket shows faults before anything is sent', async ({ page, request }) => {
  const { token } = await fundedCustomer(request, '50');
  await openApp(page, '/pages/Option/Option_old?code=ETH', { token });
  await readNotices(page);
  await expect(page.getByText('ใช้ได้ 50.00')).toBeVisible();
  const placeOfButtons = () => page.getByRole('button', { name: 'ซื้อขึ้น' }).boundingBox();
  const place = await placeOfButtons();
  for (const [typed, says] of [
    ['0.5', 'เงินลงทุนขั้นต่ำคือ 1 USDT'],
    ['50.000001', 'เกินยอดที่ใช้ได้ 50 USDT'],
    ['1.1234567', 'ทศนิยมมากเกินไป'],
  ] as const) {
    await stake(page).fill(typed);
    await expect(stake(page)).toHaveAccessibleDescription(new RegExp(says.replaceAll(' ', '\\s')));
    // People easily miss a button that moves.
    expect(await placeOfButtons()).toEqual(place);
  }
  // Letters in a number are not silently dropped: 1e3 must not become 13.
  await stake(page).fill('');
  await stake(page).pressSequentially('1e3');
  await expect(stake(page)).toHaveValue('1e3');
  await expect(stake(page)).toHaveAccessibleDescription(/กรุณาใส่ตัวเลขเท่านั้น/);
  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Thousands separators appear only over the field without focus; the typed text stays unchanged.
  await stake(page).fill('6000');
  const figure = page.locator('.ui-amount-input > bdi');
  await expect(figure).toBeHidden();
  await stake(page).blur();
  await expect(figure).toBeVisible();
  await expect(figure).toHaveText('6,000');
  await stake(page).focus();
  await expect(figure).toBeHidden();
  await expect(stake(page)).toHaveValue('6000');
  await expect(page.getByRole('button', { name: '100', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'สูงสุด' }).click();
  await expect(stake(page)).toHaveValue('50');
});

test('the fee is beside the buttons before the tap, and an amount moves neither, in every language', async ({
  page,
  request,
}) => {
  const { token } = await fundedCustomer(request, '20000');
  await page.setViewportSize({ width: 360, height: 740 });
  await openApp(page, '/pages/Option/Option?code=BTC', { token });
  await readNotices(page);
  for (const [language, fee] of [
    ['th', 'ค่าธรรมเนียม 1.50'],
    ['en', 'Fee 1.50'],
    ['ar', 'الرسوم \u20681.50'],
    ['hi', 'शुल्क 1.50'],
    ['zh', '手续费 1.50'],
    ['jp', '手数料 1.50'],
  ] as const) {
    await page.evaluate((language) => {
      const kept = JSON.parse(localStorage.getItem('preferences') ?? '{"state":{},"version":0}');
      localStorage.setItem('preferences', JSON.stringify({ ...kept, state: { ...kept.state, language } }));
    }, language);
    await page.reload();
    const amount = page.locator('input[name=quantity]');
    const hint = page.locator('.ticket-hint');
    await expect(hint).toContainText('20,000.00');
    await page.locator('.duration').first().click();
    const boxes = () =>
      page.evaluate(() =>
        ['.ticket-buttons', '.ticket-hint'].map((part) =>
          JSON.stringify(document.querySelector(part)?.getBoundingClientRect()),
        ),
      );
    const places = await boxes();
    await amount.fill('100');
    await expect(hint, language).toContainText(fee);
    await expect(hint).toBeInViewport({ ratio: 1 });
    expect(await boxes(), language).toEqual(places);
    // The longest figures that the terms allow.
    await amount.fill('10000');
    expect(await boxes(), language).toEqual(places);
  }
});

test('when prices stop, buying stops and the page says why', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await buyElsewhere(request, token, { code: 'BTC', direction: 'up', quantity: '10', duration: '300' });
  let isCut = false;
  await page.routeWebSocket(/\/api\/stream$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isCut) socket.send(message);
    });
  });
  await openApp(page, TRADE, { token });
  await readNotices(page);
  const buyUp = page.getByRole('button', { name: 'ซื้อขึ้น' });
  await expect(buyUp).toBeEnabled();
  const place = await buyUp.boundingBox();
  const held = page.locator('.holding-card');
  await expect(held).toContainText('ตอนนี้');
  isCut = true;
  await page.route('**/api/coin/**', (route) => route.abort());
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    dispatchEvent(new Event('offline'));
  });
  await expect(page.getByText(bound('ราคาไม่มาถึงอุปกรณ์นี้'))).toBeVisible();
  await expect(page.getByText(/^ออฟไลน์ · ข้อมูลเมื่อ /)).toBeVisible();
  await expect(buyUp).toBeDisabled();
  // While the connection is down, the result of an open order is unknown.
  await expect(held).toContainText('กำลังเชื่อมต่อใหม่');
  await expect(held).not.toContainText('ตอนนี้');
  // The message must not move a button that a finger is about to press.
  expect(await buyUp.boundingBox()).toEqual(place);
});

async function buyElsewhere(request: APIRequestContext, token: string, form: Record<string, string>): Promise<void> {
  const headers = { token, 'Idempotency-Key': crypto.randomUUID() };
  const bought = await request.post('/api/coin/order/add', { headers, form });
  expect((await bought.json()).ret).toBe(1);
}

test('an order bought on another device appears at once, and its result waits until the open sheet is closed', async ({
  page,
  request,
}) => {
  const token = await openTicket(page, request);
  await buyElsewhere(request, token, { code: 'BTC', direction: 'down', quantity: '123.5', duration: '30' });
  // The order appears faster than polling could show it.
  await expect(page.getByText('ลง BTC 123.5 USDT')).toBeVisible();
  await expect(page.getByText('ใช้ได้ 876.50')).toBeVisible();

  await stake(page).fill('10');
  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByRole('button', { name: /^ซื้อขึ้น 10/ })).toBeVisible();
  // The order settles while the sheet is open.
  await expect(page.locator('.holding-card')).toHaveCount(0);
  await expect(sheet).toHaveCount(1);
  await sheet.getByRole('button', { name: 'ยกเลิก' }).click();
  await expect(sheet.getByText(/123\.50/).first()).toBeVisible();
  await expect(sheet).toHaveCount(1);

  // Buys the same again, which needs the same confirmation.
  await sheet.getByRole('button', { name: 'ซื้อลงอีก 123.5' }).click();
  await expect(sheet.getByRole('button', { name: /^ซื้อลง 123\.5/ })).toBeVisible();
  await expect(stake(page)).toHaveValue('123.5');
});

test('after three purchases the confirmation can be skipped, but not above a fifth of the balance', async ({
  page,
  request,
}) => {
  await page.addInitScript(() => {
    if (!localStorage.getItem('options')) localStorage.setItem('options', '{"seconds":300,"purchases":3}');
  });
  const { token } = await fundedCustomer(request);
  // Opening the account's page tells the app who the customer is. The choice belongs to this customer only, not to
  // others on this device.
  await openApp(page, '/pages/mine/mine', { token });
  await readNotices(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('userInfo'))).not.toBeNull();
  await page.goto(`/#${TRADE}`);
  const buyUp = page.locator('.ticket').getByRole('button', { name: /^ซื้อขึ้น/ });
  const sheet = page.getByRole('dialog');
  await page.getByRole('button', { name: '100', exact: true }).click();
  await buyUp.click();
  await sheet.getByRole('checkbox').check();
  await sheet.getByRole('button', { name: /^ซื้อขึ้น 100/ }).click();
  await expect(page.getByText('ใช้ได้ 900.00')).toBeVisible();
  await expect(sheet).toHaveCount(0);

  // A faster press would count as a double tap.
  await page.waitForTimeout(1_100);
  await buyUp.click();
  await expect(page.getByText('ใช้ได้ 800.00')).toBeVisible();
  await expect(sheet).toHaveCount(0);
  await expect(page.locator('.bet-strip').getByText('1 จาก 2')).toBeVisible();

  await stake(page).fill('160.000001');
  await buyUp.click();
  await expect(sheet.getByText(/เกิน 20%/)).toBeVisible();
  await expect(sheet.getByRole('checkbox')).toHaveCount(0);
  await sheet.getByRole('button', { name: 'ยกเลิก' }).click();

  // A bet of the strip opens in its own sheet.
  await page.locator('.bet-strip').getByRole('button').first().click();
  await expect(sheet.getByText('ถ้ากำไร เข้าบัญชี')).toBeVisible();
});

test('in Arabic an amount stays beside its own unit', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await buyElsewhere(request, token, { code: 'BTC', direction: 'up', quantity: '123.5', duration: '60' });
  await openApp(page, TRADE, { token, language: 'ar' });
  await readNotices(page);
  const title = page.locator('.holding-what b');
  await expect(title).toBeVisible();
  expect(await title.textContent()).toBe('صعود \u2068BTC\u2069، \u2068123.5\u00a0USDT\u2069');
});

test('a purchase whose answer is lost is looked up and not bought twice', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  await openApp(page, '/pages/Option/Option_old?code=BTC', { token });
  await readNotices(page);
  const buy = async () => {
    await page.locator('.ticket').getByRole('button', { name: /^ซื้อขึ้น/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^ซื้อขึ้น 100/ })
      .click();
  };
  await stake(page).fill('100');

  // This request never reaches the server.
  await page.route('**/api/coin/order/add', (route) => route.abort());
  await buy();
  await expect(page.getByText(/^ไม่ได้รับคำตอบ/).first()).toBeVisible();
  await expect(page.getByText(bound(/^ยังไม่พบคำสั่งนี้/)).first()).toBeVisible();
  await page.unroute('**/api/coin/order/add');

  // This request reaches the server, but its answer is lost.
  await page.route('**/api/coin/order/add', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await buy();
  await expect(page.getByText('ขึ้น BTC 100 USDT')).toHaveCount(1);
  await expect(page.locator('.ticket-doubt')).toHaveCount(0);
  await expect(page.getByText('ใช้ได้ 900.00')).toBeVisible();
  await page.unroute('**/api/coin/order/add');

  // The lost order was found, so the same purchase again is another order.
  await buy();
  await expect(page.getByText('ขึ้น BTC 100 USDT')).toHaveCount(2);
  await expect(page.getByText('ใช้ได้ 800.00')).toBeVisible();
});

test('without money the ticket offers test money', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/Option/Option_old?code=BTC', { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  await expect(stake(page)).toBeFocused();
  await page.getByRole('button', { name: 'รับเงินทดสอบ' }).click();
  await expect(page.getByText('ใช้ได้ 1,000.00')).toBeVisible();
  await expect(page.getByRole('button', { name: 'รับเงินทดสอบ' })).toHaveCount(0);
});

test('parts that could not be loaded without a connection load by themselves when it is back', async ({
  page,
  request,
}) => {
  await openTicket(page, request);

  // Going offline blocks the screen's code.
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'รายการ' }).click();
  await expect(page.getByRole('button', { name: 'ลองอีกครั้ง' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('ไม่มีคำสั่งที่ถืออยู่')).toBeVisible();

  await page.route('**/api/coin/order/lists', (route) => route.abort());
  await page.getByRole('tab', { name: 'ประวัติ' }).click();
  await expect(page.getByRole('button', { name: 'ลองอีกครั้ง' })).toBeVisible();
  await page.unroute('**/api/coin/order/lists');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByRole('button', { name: 'ลองอีกครั้ง' })).toHaveCount(0);
});

test('a retry draws a chart whose code could not be loaded', async ({ page, request }) => {
  const chunk = '**/assets/candle-chart-*.js';
  await page.route(chunk, (route) => route.abort());
  // Simulates the state after the one reload that a missing chunk causes.
  await page.addInitScript(() => sessionStorage.setItem('reloaded-for-chunks', String(Date.now())));
  await openTicket(page, request);
  // The live line needs no further code, but candles do.
  await expect(page.locator('.live-line canvas')).toBeVisible();
  await page.getByRole('button', { name: '1 นาที', exact: true }).click();
  await expect(page.getByText('โหลดกราฟไม่สำเร็จ')).toBeVisible();
  await page.unroute(chunk);
  await page.getByRole('button', { name: 'ลองอีกครั้ง' }).click();
  await expect(page.locator('.chart-place canvas').first()).toBeVisible();
});

test('favourites and the coins with the largest changes are one press away, here and on the home page', async ({
  page,
}) => {
  await openApp(page, '/pages/coinList/index');
  const rows = page.locator('.coin-row');
  const chip = (name: string) => page.getByRole('group', { name: 'เลือกดูเหรียญ' }).getByRole('button', { name });
  await expect(rows).toHaveCount(8);
  await chip('เหรียญโปรด').click();
  await expect(page.getByText(bound('ยังไม่มีเหรียญโปรด'))).toBeVisible();
  await page.getByRole('button', { name: 'แสดงทั้งหมด' }).click();
  await page.getByRole('button', { name: 'SOL เป็นเหรียญโปรด' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'SOL เป็นเหรียญโปรด' })).toHaveAttribute('aria-pressed', 'true');
  await chip('เหรียญโปรด').click();
  await expect(rows).toHaveCount(1);

  await page.getByRole('link', { name: 'หน้าแรก' }).click();
  await expect(rows).toHaveCount(8);
  await chip('เหรียญโปรด').click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('SOL');
  await chip('ขึ้นมากสุด').click();
  await expect(chip('ขึ้นมากสุด')).toHaveAttribute('aria-pressed', 'true');
});

test('coins can be found and sorted, and a press opens their trading page', async ({ page, request }) => {
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

test('a vertical swipe over the chart scrolls the page', async ({ page, request }) => {
  const { token } = await fundedCustomer(request);
  // The window is so low that the ticket is below the chart and not over the page.
  await page.setViewportSize({ width: 390, height: 470 });
  await openApp(page, TRADE, { token });
  await readNotices(page);
  await page.getByRole('button', { name: '1 นาที', exact: true }).click();
  await expect(page.locator('.chart-place canvas').first()).toBeVisible();
  await swipeUpOver(page, '.chart-place canvas');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(80);
});

test('H5 a part whose code could not be loaded affects no other part, and a retry loads it', async ({
  page,
  request,
}) => {
  const sheet = '**/assets/purchase-*.js';
  const list = '**/assets/holding-orders-*.js';
  const panel = '**/assets/sheet-panel-*.js';
  for (const chunk of [sheet, list, panel]) await page.route(chunk, (route) => route.abort());
  // Simulates the state after the one reload that a missing chunk causes; the first press would cause it here.
  await page.addInitScript(() => sessionStorage.setItem('reloaded-for-chunks', String(Date.now())));
  await openTicket(page, request);
  const buyUp = page.getByRole('button', { name: /^ซื้อขึ้น/ });
  await stake(page).fill('100');
  const pair = page.getByRole('button', { name: 'BTC / USDT', exact: true });
  await pair.click();
  await expect(page.getByText(/^โหลดไม่สำเร็จ/)).toBeVisible();
  await page.unroute(panel);
  await pair.click();
  await expect(page.getByRole('dialog', { name: 'เลือกเหรียญ' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(/^โหลดไม่สำเร็จ/)).toHaveCount(0);
  await buyUp.click();
  await expect(page.getByText(/^โหลดไม่สำเร็จ/)).toBeVisible();
  await expect(stake(page)).toHaveValue('100');

  await page.unroute(sheet);
  await buyUp.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อขึ้น 100/ })
    .click();
  await expect(page.getByText('ใช้ได้ 900.00')).toBeVisible();
  await page.unroute(list);
  await page.getByRole('button', { name: 'ลองอีกครั้ง' }).click();
  await expect(page.getByRole('timer')).toBeVisible();
});
