import { readFile } from 'node:fs/promises';
import { type APIRequestContext, expect, type Locator, type Page, test } from '@playwright/test';
import { bound } from './bound.ts';
import { indexTimes } from './index-times.ts';
import { expectAccessible, lookAt, swipeUpOver } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const MARKET = '/pages/contracts/contracts';
const LIST = '/pages/contracts/orderList';

interface Order {
  id: string;
  status: string;
  quantity: string;
  dealt_quantity: string;
  dealt_amount: string;
}

async function fundedCustomer(request: APIRequestContext, money: Readonly<Record<string, string>>): Promise<string> {
  const { token } = await newCustomer(request);
  for (const [asset, amount] of Object.entries(money)) {
    const funded = await request.post('/demo/fund', { headers: { token }, form: { asset, amount } });
    expect((await funded.json()).ret).toBe(1);
  }
  return token;
}

async function post<Data>(
  request: APIRequestContext,
  path: string,
  token: string,
  form: Record<string, string>,
): Promise<Data> {
  const answer = await request.post(`/api${path}`, { headers: { token }, form });
  const { ret, msg, data } = await answer.json();
  expect(ret, msg).toBe(1);
  return data;
}

const place = (request: APIRequestContext, token: string, form: Record<string, string>) =>
  post<Order>(request, '/coin/trans/add', token, form);

const price = (page: Page) => page.locator('input[name=price]');
const size = (page: Page) => page.locator('input[name=size]');
const total = (page: Page) => page.locator('input[name=total]');
const send = (page: Page) => page.locator('.ticket-form > .ui-button');
/** Formats an amount as the app shows it: at least two decimals, with thousands separators. */
const shown = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
};

test('S4.12 a limit order is placed, shown and revoked; a market order is filled, described and exported', async ({
  page,
  request,
}) => {
  const seller = await fundedCustomer(request, { SOL: '10' });
  const token = await fundedCustomer(request, { USDT: '1000' });
  await openApp(page, `${MARKET}?code=SOL`, { token });
  await readNotices(page);
  await expect(page.getByText('1,000.00 USDT')).toBeVisible();

  // Far below the market, so the order rests and its money is held.
  const low = await indexTimes(request, 'SOL', 900n);
  await price(page).fill(low);
  await size(page).fill('๑.๕');
  await expect(size(page)).toHaveValue('1.5');
  await send(page).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('ค่าธรรมเนียม 0.10%')).toBeVisible();
  await sheet.getByRole('button', { name: /^ซื้อ 1.5/ }).click();
  await expect(page.getByText('กำลังรอจับคู่ในสมุด')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'รอจับคู่ (1)' })).toBeVisible();
  const row = page.locator('.order-row');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(`ราคา ${shown(low)} · จับคู่ 0.000 / 1.500`);
  await expect(page.getByText('1,000.00 USDT')).toHaveCount(0);

  // The confirmation sheet has closed and returned the focus.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await row.getByRole('button', { name: /^ยกเลิก SOL/ }).click();
  await expect(page.getByText('ยกเลิกสำเร็จ!')).toBeVisible();
  // The button disappears with its row, so the focus moves to the list.
  await expect(page.getByRole('tabpanel')).toBeFocused();
  await expect(page.getByRole('tab', { name: 'รอจับคู่ (0)' })).toBeVisible();
  await expect(page.getByText('ไม่มีคำสั่งที่รอจับคู่')).toBeVisible();
  await expect(page.getByText('1,000.00 USDT')).toBeVisible();

  // Places several orders to revoke together.
  for (const thousandths of [850n, 860n, 870n]) {
    const price = await indexTimes(request, 'SOL', thousandths);
    await place(request, token, { code: 'SOL', side: 'buy', type: 'limit', price, quantity: '1' });
  }
  await expect(page.getByRole('tab', { name: 'รอจับคู่ (3)' })).toBeVisible();
  await page.getByRole('button', { name: 'ยกเลิกทั้งหมด' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText(bound('ยกเลิกคำสั่งที่รอจับคู่ของ SOL ทั้งหมดหรือไม่'))).toBeVisible();
  await question.getByRole('button', { name: 'ยกเลิกทั้งหมด' }).click();
  await expect(page.getByText(bound('ยกเลิกแล้ว 3 คำสั่ง'))).toBeVisible();
  await expect(page.getByRole('tabpanel')).toBeFocused();
  await expect(page.getByRole('tab', { name: 'รอจับคู่ (0)' })).toBeVisible();
  await expect(page.getByText('1,000.00 USDT')).toBeVisible();

  // A market order by amount; somebody sells within the band.
  await place(request, seller, {
    code: 'SOL',
    side: 'sell',
    type: 'limit',
    price: await indexTimes(request, 'SOL', 1005n),
    quantity: '10',
  });
  await page.getByRole('button', { name: 'มาร์เก็ต' }).click();
  await size(page).fill('100');
  await send(page).click();
  await expect(sheet.getByText('ค่าธรรมเนียม 0.15%')).toBeVisible();
  await sheet.getByRole('button', { name: /^ซื้อด้วย 100\.00/ }).click();
  await expect(page.getByText(bound(/ทำรายการสำเร็จ! จับคู่ครบ/))).toBeVisible();

  const { items: orders } = await post<{ items: Order[] }>(request, '/coin/trans/lists', token, { status: 'history' });
  expect(orders.map(({ status }) => status)).toEqual(['filled', ...Array<string>(4).fill('cancelled')]);
  const [filled] = orders;
  if (!filled) throw new Error('no order');
  const balance = await post<{ usdt_available: string }>(request, '/coin/user/amount', token, { code: 'SOL' });
  const spent = BigInt(filled.dealt_amount.replace('.', ''));
  expect(BigInt(balance.usdt_available.replace('.', ''))).toBe(1_000_000_000n - spent);
  // Truncated to two decimals, like every balance.
  const cents = shown(balance.usdt_available).replace(/(\.[0-9]{2}).*$/, '$1');
  await expect(page.getByText(`${cents} USDT`)).toBeVisible();
  // The public tape shows the trade, marked if the house was on one side, and so does the customer's history.
  await expect(page.locator('.tape-row .tape-price').first()).toBeVisible();
  await expect(page.locator('.tape-house').first()).toContainText(bound('รายการกับผู้ดูแลสภาพคล่องของแพลตฟอร์ม'));
  await page.getByRole('tab', { name: 'ประวัติ' }).click();
  await expect(row).toHaveCount(5);

  await page.getByRole('button', { name: 'คำสั่งซื้อขาย' }).click();
  await expect(page).toHaveURL(/orderList$/);
  await page.getByRole('tab', { name: 'ทั้งหมด' }).click();
  await expect(row).toHaveCount(5);
  await page.getByLabel('เหรียญ', { exact: true }).selectOption('BTC');
  await expect(page.getByText('ไม่มีคำสั่งที่ตรงกับตัวกรอง')).toBeVisible();
  await page.getByLabel('เหรียญ', { exact: true }).selectOption('SOL');
  await page.getByLabel('ฝั่ง').selectOption('buy');
  await expect(row).toHaveCount(5);

  // Loads every page of the history.
  await place(request, token, { code: 'SOL', side: 'buy', type: 'market', amount: '50' });
  let pages = 0;
  await page.route('**/api/coin/trans/fills', (route) => {
    pages += 1;
    return route.continue({ postData: String(route.request().postData()).replace('limit=500', 'limit=1') });
  });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ส่งออก CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('fills-SOL.csv');
  const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toBe(
    'time_utc,order_id,fill_id,coin,side,role,price_usdt,quantity,amount_usdt,fee,fee_asset,with_house',
  );
  const { items: fills } = await post<{ items: Record<string, string | boolean>[] }>(
    request,
    '/coin/trans/fills',
    token,
    { code: 'SOL' },
  );
  expect(fills.length).toBeGreaterThan(1);
  expect(pages).toBeGreaterThanOrEqual(fills.length);
  expect(lines).toEqual(
    fills
      .toReversed()
      .map((fill) =>
        ['at', 'order', 'id', 'code', 'side', 'role', 'price', 'quantity', 'amount', 'fee', 'fee_asset', 'with_house']
          .map((name) => String(fill[name]))
          .join(),
      ),
  );

  // The order that was just placed joins the list by itself.
  await expect(row).toHaveCount(6);
  await row.nth(1).locator('.order-row-what').click();
  await expect(page).toHaveURL(/orderDetails\?id=/);
  await expect(page.getByText(/^ใช้ .*\sUSDT จาก 100\.00\sUSDT ซื้อได้ .*\sSOL ที่ราคาเฉลี่ย/)).toBeVisible();
  await expect(page.locator('.order-fill')).toHaveCount(fills.filter((fill) => fill.order === filled.id).length);
  await expect(page.locator('.order-fill').first()).toContainText('ผู้รับราคา');

  // Answers as if only the order's newest fill were on its first page.
  const itsFills = fills.filter((fill) => fill.order === filled.id);
  const [newest] = itsFills;
  await page.route('**/api/coin/trans/info?*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: object };
    const fills_next = `${Date.parse(String(newest?.at))}-${newest?.id}`;
    const data = { ...answer.data, fills: [newest], fills_next };
    await route.fulfill({ response, json: { ...answer, data } });
  });
  await page.reload();
  await expect(page.getByText('ครบทุกรายการแล้ว')).toBeVisible();
  await expect(page.locator('.order-fill')).toHaveCount(itsFills.length);

  // The statement also shows the trade.
  await page.goto('/#/pages/accountDetails/accountDetails');
  await expect(page.getByText('ซื้อขายเหรียญ', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('ค่าธรรมเนียมซื้อขายเหรียญ').first()).toBeVisible();
});

/** A price at which a sell order becomes the book's best ask without trading, so the test needs no counterparty. */
async function bestAsk(request: APIRequestContext, code: string): Promise<string> {
  const answer = await request.get('/api/coin/book', { params: { code, depth: '1' } });
  const { bids, asks } = (await answer.json()).data as Record<'bids' | 'asks', [string, string][]>;
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
  if (bid === undefined || ask === undefined) return indexTimes(request, code, 1001n);
  // The price in the middle, so that the house would have to move its quotes by half a spread to buy from it or to sell
  // for less.
  const cents = (BigInt(bid.replace('.', '')) + BigInt(ask.replace('.', ''))) / 2n;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

test('a partly filled order that is revoked is described as such, live', async ({ page, request }) => {
  const buyer = await fundedCustomer(request, { USDT: '100000' });
  const token = await fundedCustomer(request, { ETH: '60' });
  const ask = await bestAsk(request, 'ETH');
  const order = await place(request, token, { code: 'ETH', side: 'sell', type: 'limit', price: ask, quantity: '60' });
  await openApp(page, `/pages/contracts/orderDetails?id=${order.id}`, { token });
  await readNotices(page);
  await expect(page.getByText('จนกว่าจะยกเลิก')).toBeVisible();

  // Buys until the price is reached, including cheaper orders, and repeats because the house may quote lower meanwhile.
  const buyUntil = (price: string, seen: Locator) =>
    expect(async () => {
      await place(request, buyer, { code: 'ETH', side: 'buy', type: 'limit', tif: 'IOC', price, quantity: '5' });
      await expect(seen).toBeVisible({ timeout: 2_000 });
    }).toPass();
  await buyUntil(ask, page.getByText(/^จับคู่แล้ว .*\sETH จาก 60\sETH ที่ราคาเฉลี่ย .* รอในสมุด$/));
  await expect(page.locator('.order-fill').first()).toContainText('ผู้ตั้งราคา');

  await page.getByRole('button', { name: 'ยกเลิก', exact: true }).click();
  await expect(page.getByText(/^จับคู่แล้ว .* แล้วคุณยกเลิกอีก .*\sETH สิ่งที่กันไว้สำหรับส่วนนั้นคืนแล้ว$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'ยกเลิก', exact: true })).toHaveCount(0);

  // A fill of a resting order is announced on every page. The house may take it first, once the index has passed it.
  await page.goto(`/#${LIST}`);
  await expect(page.getByText('ไม่มีคำสั่งที่รอจับคู่')).toBeVisible();
  const price = await bestAsk(request, 'ETH');
  await place(request, token, { code: 'ETH', side: 'sell', type: 'limit', price, quantity: '0.05' });
  await buyUntil(price, page.getByText(bound(/^คำสั่ง ETH จับคู่ครบแล้ว: 0\.05\sETH/)));
  await expect(page.getByText('ไม่มีคำสั่งที่รอจับคู่')).toBeVisible();
});

test('the book is live, and pressing a level takes its price', async ({ page, request }) => {
  const seller = await fundedCustomer(request, { BNB: '5' });
  const token = await fundedCustomer(request, { USDT: '100' });
  await openApp(page, `${MARKET}?code=BNB`, { token });
  await readNotices(page);
  await expect(price(page)).not.toHaveValue('');

  const ask = await bestAsk(request, 'BNB');
  const order = await place(request, seller, {
    code: 'BNB',
    side: 'sell',
    type: 'limit',
    price: ask,
    quantity: '4.321',
  });
  const level = page.locator('.book-side[data-side=sell] li', { hasText: '4.321' });
  // The level may move between finding its row and pressing it.
  await expect(async () => {
    await level.click({ timeout: 2_000 });
    await expect(price(page)).toHaveValue(ask, { timeout: 500 });
  }).toPass();
  // 100 % is the most whole lots that the customer can pay for at that price.
  await page.getByRole('slider').press('End');
  const lots = (100n * 100n * 1000n) / BigInt(ask.replace('.', ''));
  await expect(size(page)).toHaveValue(
    `${lots / 1000n}.${String(lots % 1000n).padStart(3, '0')}`.replace(/\.?0+$/, ''),
  );
  // A typed total buys whole lots and shows their cost; a typed size shows its total.
  await price(page).fill('500.01');
  await total(page).fill('10');
  await expect(size(page)).toHaveValue('0.019');
  await expect(total(page)).toHaveAccessibleDescription(/0\.001\sBNB.*9\.50019\sUSDT/);
  await price(page).fill('1000');
  await expect(size(page)).toHaveValue('0.01');
  await size(page).fill('0.05');
  await expect(total(page)).toHaveValue('50');
  await expect(total(page)).toHaveAccessibleDescription('');
  // The arrow keys change the price by one step.
  await price(page).press('ArrowUp');
  await expect(price(page)).toHaveValue('1000.01');

  // Grouped by ten steps, an ask's price is rounded up.
  await page.getByLabel('ช่วงราคาของสมุด').selectOption('0.1');
  await expect(page.locator('.book-side[data-side=sell] .book-price').last()).toHaveText(/^[0-9,]+\.[0-9]$/);
  await page.getByLabel('ช่วงราคาของสมุด').selectOption('0.01');
  await price(page).fill(ask);
  await post(request, '/coin/trans/close', seller, { id: order.id });
  await expect(level).toHaveCount(0);

  // The disclosure of the house's market maker opens over the ticket, which stays unchanged.
  const sheet = page.getByRole('dialog');
  await page.getByRole('button', { name: 'ผู้ดูแลสภาพคล่องคือใคร' }).click();
  await expect(sheet.getByText('กำไร/ขาดทุนสะสม')).toBeVisible();
  await expect(sheet.locator('.maker-coin')).toHaveCount(8);
  await expect(sheet.locator('.maker-holding').first()).toContainText('USDT');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(price(page)).toHaveValue(ask);

  // A customer who switches confirmations off sees none, and can switch them on again.
  await price(page).fill(await indexTimes(request, 'BNB', 900n));
  await size(page).fill('0.02');
  await send(page).click();
  await sheet.getByRole('checkbox').check();
  await sheet.getByRole('button', { name: /^ซื้อ 0.02/ }).click();
  await expect(page.locator('.order-row')).toHaveCount(1);
  await size(page).fill('0.03');
  await send(page).click();
  await expect(page.locator('.order-row')).toHaveCount(2);
  await page.getByRole('button', { name: 'ตัวเลือกคำสั่ง' }).click();
  await expect(sheet.getByRole('switch', { name: 'ถามยืนยันก่อนส่งคำสั่ง' })).not.toBeChecked();
});

test('the remainders of two coins are sold in one act', async ({ page, request }) => {
  const token = await fundedCustomer(request, { SOL: '0.00213', XRP: '0.123456' });
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'แปลงเศษเหรียญเป็น USDT' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText(/^0\.00213\sSOL$/)).toBeVisible();
  await sheet.getByRole('button', { name: /^แปลงเป็น USDT/ }).click();
  await expect(sheet.getByText(/^ได้รับ .*\sUSDT$/)).toHaveCount(2);
  await expect(sheet.getByRole('button', { name: /^แปลงเป็น USDT/ })).toHaveCount(0);
  await sheet.getByRole('button', { name: 'ปิด' }).click();
  await expect(page.getByRole('button', { name: 'แปลงเศษเหรียญเป็น USDT' })).toHaveCount(0);
});

test('the ticket shows each fault at its field, before and after sending', async ({ page, request }) => {
  const seller = await fundedCustomer(request, { XRP: '1000' });
  const token = await fundedCustomer(request, { USDT: '50' });
  await openApp(page, `${MARKET}?code=XRP`, { token, language: 'ar', theme: 'dark' });
  await readNotices(page);
  await expect(page.getByText('50.00 USDT')).toBeVisible();
  await expect(price(page)).not.toHaveValue('');

  await send(page).click();
  await expect(size(page)).toBeFocused();
  await expect(size(page)).toHaveAccessibleDescription('يُرجى إدخال الكمية.');
  for (const [typed, says] of [
    ['0.12', /بخطوات من .*0\.1/],
    ['0.1', /الحد الأدنى للأمر .*1\.00\sUSDT/],
    ['999999999', /الحد الأقصى للأمر .*1,000,000\.00\sUSDT/],
    ['1000', /يتجاوز الرصيد المتاح .*50\.00\sUSDT/],
  ] as const) {
    await size(page).fill(typed);
    await expect(size(page)).toHaveAccessibleDescription(says);
  }
  await price(page).fill('1.00001');
  await expect(price(page)).toHaveAccessibleDescription(/بخطوات من .*0\.0001/);
  await price(page).fill('');
  await expect(price(page)).toHaveAccessibleDescription('يُرجى إدخال السعر.');

  // A post-only order at a price at which somebody sells.
  const dear = await indexTimes(request, 'XRP', 1090n);
  await place(request, seller, { code: 'XRP', side: 'sell', type: 'limit', price: dear, quantity: '100' });
  await page.getByRole('button', { name: 'خيارات الأمر' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('switch', { name: 'للإضافة إلى الدفتر فقط' }).check();
  await sheet.getByRole('button', { name: 'إغلاق' }).click();
  await price(page).fill(dear);
  await size(page).fill('5');
  await expect(page.getByText('بهذا السعر سيُنفَّذ فورًا')).toBeVisible();

  // Faults that only the server can find are shown at the field that it names.
  await page.getByRole('button', { name: 'خيارات الأمر' }).click();
  await sheet.getByRole('switch', { name: 'للإضافة إلى الدفتر فقط' }).uncheck();
  await sheet.getByRole('button', { name: 'إغلاق' }).click();
  await page.route('**/api/coin/trans/add', (route) =>
    route.fulfill({
      json: { ret: 0, msg: 'قول الخادم', data: { code: 'quantity_off_lot', fields: { quantity: 'قول الخادم' } } },
    }),
  );
  await send(page).click();
  await sheet.getByRole('button', { name: /^شراء/ }).click();
  await expect(size(page)).toHaveAccessibleDescription('قول الخادم');
  await expect(size(page)).toBeFocused();
});

test('when no updates arrive, market orders pause and limit orders do not', async ({ page, request }) => {
  const token = await fundedCustomer(request, { USDT: '100' });
  let isCut = false;
  await page.routeWebSocket(/\/api\/stream$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isCut) socket.send(message);
    });
  });
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  await expect(send(page)).toBeEnabled();
  isCut = true;
  await page.route('**/api/coin/**', (route) => route.abort());
  await expect(page.locator('.market-head').getByText('กำลังเชื่อมต่อใหม่')).toBeVisible();
  await expect(page.locator('.book[data-old]')).toBeVisible();
  await expect(send(page)).toBeEnabled();
  await page.getByRole('button', { name: 'มาร์เก็ต' }).click();
  await expect(page.getByText(bound('ราคาไม่มาถึงอุปกรณ์นี้'))).toBeVisible();
  await expect(send(page)).toBeDisabled();
});

test('a limit order can be placed without the book', async ({ page, request }) => {
  const token = await fundedCustomer(request, { USDT: '100' });
  await page.routeWebSocket(/\/api\/stream$/, () => {});
  await page.route('**/api/coin/book?*', (route) => route.abort());
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  await expect(page.getByText('โหลดสมุดคำสั่งไม่สำเร็จ')).toBeVisible();
  await price(page).fill(await indexTimes(request, 'BTC', 600n));
  await size(page).fill('0.002');
  // Shows the higher of both fees while it is unknown which one applies.
  await expect(page.getByText('0.15%', { exact: true })).toBeVisible();
  await send(page).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อ 0.002/ })
    .click();
  await expect(page.getByRole('tab', { name: 'รอจับคู่ (1)' })).toBeVisible();
});

test('the page says that no contract is offered, and still shows the customer’s own orders', async ({
  page,
  request,
}) => {
  const token = await fundedCustomer(request, { USDT: '100' });
  await page.route('**/api/coin/trans/rate?*', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ json: { ...body, data: { ...body.data, offered: false } } });
  });
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  await expect(page.getByText('ปิดให้บริการซื้อขายเหรียญ')).toBeVisible();
  await expect(page.locator('.ticket-form')).toHaveCount(0);
  await expect(page.getByText('ไม่มีคำสั่งที่รอจับคู่')).toBeVisible();
});

test('failed parts can be loaded again in place, and typed text stays', async ({ page, request }) => {
  const token = await fundedCustomer(request, { USDT: '100' });
  const below = '**/assets/below-ticket-*.js';
  const confirm = '**/assets/confirm-order-*.js';
  for (const chunk of [below, confirm]) await page.route(chunk, (route) => route.abort());
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  await price(page).fill('50000');
  await size(page).fill('0.001');
  await page.unroute(below);
  await page.locator('.contract-own').getByRole('button', { name: 'ลองอีกครั้ง' }).click();
  await expect(page.getByRole('tab', { name: 'รอจับคู่ (0)' })).toBeVisible();

  // A sheet that cannot open reports it, and the button can be pressed again.
  await send(page).click();
  await expect(page.getByText(bound('กรุณาตรวจสอบการเชื่อมต่อแล้วลองอีกครั้ง'))).toBeVisible();
  await page.unroute(confirm);
  await send(page).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^ซื้อ 0.001/ })).toBeVisible();
});

test('a vertical swipe over the chart scrolls the page', async ({ page, request }) => {
  const token = await fundedCustomer(request, { USDT: '100' });
  await page.setViewportSize({ width: 390, height: 600 });
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  // On a phone the chart is folded at first.
  await page.getByRole('button', { name: 'แสดงกราฟ' }).click();
  await expect(page.locator('.contract-chart canvas').first()).toBeVisible();
  await swipeUpOver(page, '.contract-chart canvas');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(80);
});

test('Back returns to the previous scroll position, and a newly opened page begins at its top', async ({
  page,
  request,
}) => {
  const token = await fundedCustomer(request, { USDT: '5000' });
  const low = await indexTimes(request, 'BTC', 600n);
  for (let lots = 10; lots < 35; lots += 1) {
    const order = { code: 'BTC', side: 'buy', type: 'limit', price: low, quantity: `0.01${lots}`, tif: 'IOC' };
    await place(request, token, order);
  }
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  const scrolled = () => page.evaluate(() => scrollY);
  await page.getByRole('button', { name: 'ดูทั้งหมด' }).click();
  await page.getByRole('tab', { name: 'ประวัติ' }).click();
  const rows = page.locator('.order-row-what');
  await expect(rows).toHaveCount(20);
  expect(await scrolled()).toBe(0);
  // Scrolling to the end loads further pages.
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(25);
  // Parts above the rows that are still loading would move the rows.
  await expect(page.locator('.ui-skeleton')).toHaveCount(0);
  await rows.last().scrollIntoViewIfNeeded();
  const left = await scrolled();
  expect(left).toBeGreaterThan(500);
  for (const goBack of [() => page.getByRole('button', { name: 'ย้อนกลับ' }).click(), () => page.goBack()]) {
    await rows.nth(22).click();
    await expect(page).toHaveURL(/orderDetails/);
    await expect.poll(scrolled).toBe(0);
    await goBack();
    await expect(page).toHaveURL(/orderList/);
    await expect.poll(scrolled).toBe(left);
  }
});

test('on a terminal an open order takes one line of at most 32 px, and a finger’s height on a phone', async ({
  page,
  request,
}) => {
  const token = await fundedCustomer(request, { BTC: '9' });
  const high = await indexTimes(request, 'BTC', 1400n);
  for (const quantity of ['0.00200', '0.12345'])
    await place(request, token, { code: 'BTC', side: 'sell', type: 'limit', price: high, quantity });
  await openApp(page, `${MARKET}?code=BTC`, { token });
  await readNotices(page);
  const rows = page.locator('.own-orders .order-row');
  await expect(rows).toHaveCount(2);
  const heights = () => rows.evaluateAll((found) => found.map((row) => row.getBoundingClientRect().height));
  expect(Math.min(...(await heights()))).toBeGreaterThanOrEqual(44);
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(async () => Math.max(...(await heights())), `${width}`).toBeLessThanOrEqual(32);
    await expect(rows.last()).toBeInViewport({ ratio: 1 });
  }
  await rows
    .first()
    .getByRole('button', { name: /^ยกเลิก/ })
    .click();
  await expect(rows).toHaveCount(1);
});

test('no figure of an order is clipped on a narrow phone', async ({ page, request }) => {
  const token = await fundedCustomer(request, { BTC: '9' });
  const high = await indexTimes(request, 'BTC', 1400n);
  await place(request, token, { code: 'BTC', side: 'sell', type: 'limit', price: high, quantity: '5.12345' });
  await page.setViewportSize({ width: 320, height: 640 });
  await openApp(page, LIST, { token, language: 'ar' });
  await readNotices(page);
  const figures = page.locator('.order-row-figures > span');
  await expect(figures).toHaveCount(2);
  // In Arabic, a clipped number would lose its beginning here.
  for (const part of ['.order-row-title', '.order-row-figures']) {
    const [inside, room] = await page.locator(part).evaluate((line) => [line.scrollWidth, line.clientWidth]);
    expect(inside, part).toBeLessThanOrEqual(room ?? 0);
  }
});

// specification.spec.ts checks the other themes of these languages.
for (const [language, theme] of [['th', 'dark']] as const) {
  test(`axe finds nothing, and nothing is wider than the phone: ${language}, ${theme}`, async ({ page, request }) => {
    const token = await fundedCustomer(request, { USDT: '1000', BTC: '1' });
    const high = await indexTimes(request, 'BTC', 1100n);
    const order = await place(request, token, {
      code: 'BTC',
      side: 'sell',
      type: 'limit',
      price: high,
      quantity: '0.01',
    });
    const low = await indexTimes(request, 'BTC', 600n);
    const gone = { code: 'BTC', side: 'buy', type: 'limit', price: low, quantity: '0.01', tif: 'IOC' };
    await place(request, token, gone);
    // A changing price is drawn between two colours, so animations are off.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, LIST, { token, language, theme });
    await readNotices(page);
    for (const path of [
      `${MARKET}?code=BTC`,
      LIST,
      `${LIST}?status=all`,
      `/pages/contracts/orderDetails?id=${order.id}`,
      '/pages/contracts/maker',
    ]) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
  });
}
