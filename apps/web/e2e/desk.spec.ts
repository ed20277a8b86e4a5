import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const HOME = '/pages/index/index';
const OPTION = '/pages/Option/Option?code=BTC';
const CONTRACTS = '/pages/contracts/contracts?code=BTC';
const PAGES = [HOME, '/pages/mine/mine', '/pages/coinList/index', OPTION, CONTRACTS, '/pages/mine/setting'];

const box = async (page: Page, selector: string) => {
  const place = await page.locator(selector).first().boundingBox();
  if (!place) throw new Error(`nothing at ${selector}`);
  return place;
};

for (const [language, theme] of [
  ['th', 'light'],
  ['ar', 'dark'],
] as const) {
  test(`from 900 px on the tabs are a rail beside every page, which stays within the window: ${language}, ${theme}`, async ({
    page,
    request,
  }) => {
    const { token } = await newCustomer(request);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, HOME, { token, language, theme });
    await readNotices(page);
    for (const width of [900, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of PAGES) {
        await lookAt(page, path, width);
        const [rail, main] = [await box(page, '.ui-tab-bar'), await box(page, '.shell-main')];
        expect(rail.height).toBeGreaterThan(800);
        // The rail and the page are side by side in either direction of writing.
        const apart = language === 'ar' ? rail.x - (main.x + main.width) : main.x - (rail.x + rail.width);
        expect(apart, `${path}, ${width}`).toBeGreaterThanOrEqual(0);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const path of PAGES) {
      await lookAt(page, path, 1440);
      await expectAccessible(page, path);
    }
  });
}

test('at 1,440 px a customer chooses, watches and buys an option in one view', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openApp(page, OPTION, { token });
  await readNotices(page);
  await expect(page.locator('.option-coins').getByRole('button', { name: /^TRX/ })).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.live-line canvas')).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.ticket')).toBeInViewport({ ratio: 1 });
  await page.locator('.option-coins').getByRole('button', { name: /^ETH/ }).click();
  await expect(page).toHaveURL(/code=ETH$/);
  await page.setViewportSize({ width: 1000, height: 900 });
  await expect(page.locator('.option-coins')).toHaveCount(0);
  await page.getByRole('link', { name: 'หน้าแรก' }).click();
  await expect(page.locator('.home-tools')).toBeVisible();
});

for (const [width, height] of [
  [1280, 800],
  [1440, 900],
] as const) {
  test(`at ${width} × ${height} the odds and the open bets are in view without scrolling`, async ({
    page,
    request,
  }) => {
    const { token } = await newCustomer(request);
    const headers = { token };
    await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
    for (const [code, direction] of [
      ['BTC', 'up'],
      ['ETH', 'down'],
    ] as const) {
      const form = { code, direction, quantity: '100', duration: '300' };
      const bought = await request.post('/api/coin/order/add', {
        headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() },
        form,
      });
      expect((await bought.json()).ret).toBe(1);
    }
    await page.setViewportSize({ width, height });
    await openApp(page, OPTION, { token, language: 'en' });
    await readNotices(page);
    const bets = page.locator('.open-bets tbody tr');
    await expect(bets).toHaveCount(2);
    for (const bet of await bets.all()) {
      await expect(bet).toBeInViewport({ ratio: 1 });
      // The credit of a win, of a loss or of a level price; and the time left of the five minutes.
      await expect(bet.locator('td').last()).toHaveText(/^(183\.30|0\.00|100\.00)$/);
      await expect(bet.locator('td').nth(4)).toHaveText(/^[0-5]:\d\d$/);
    }
    const odds = page.locator('.ticket-odds');
    await page.locator('input[name=quantity]').fill('100');
    await page.locator('.duration').first().click();
    // 100 / 173.50, rounded up.
    await expect(odds).toContainText('57.64%');
    await expect(odds).toContainText('173.50 USDT');
    await expect(odds).toBeInViewport({ ratio: 1 });
    await bets.first().getByRole('button').click();
    await expect(page.getByRole('dialog').getByText('Start price')).toBeVisible();
  });
}

test('open bets that cannot be read can be read again, and show no credit after their end', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  const headers = { token };
  await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
  const bought = await request.post('/api/coin/order/add', {
    headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() },
    form: { code: 'BTC', direction: 'up', quantity: '100', duration: '300' },
  });
  expect((await bought.json()).ret).toBe(1);
  // The stream would bring the order too.
  await page.routeWebSocket('**/api/stream', (socket) => socket.close());
  const list = '**/api/coin/order/lists';
  let isDown = true;
  // The list says that the order ends soon; its result comes much later.
  let end: string | undefined;
  await page.route(list, async (route) => {
    if (isDown) return route.fulfill({ status: 500, body: '' });
    const response = await route.fetch();
    const answer = await response.json();
    end ??= new Date(Date.now() + 10_000).toISOString();
    for (const order of answer.data.items) order.end_time = end;
    await route.fulfill({ response, json: answer });
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openApp(page, OPTION, { token, language: 'en' });
  await readNotices(page);
  const card = page.locator('.open-bets');
  await expect(card.getByRole('alert')).toContainText('Internal Server Error');
  await expect(card).not.toContainText('No open orders');

  const again = card.getByRole('button', { name: 'Try again' });
  await again.hover();
  // From now on the page may read the list by itself too.
  isDown = false;
  await again.click({ timeout: 1_000 }).catch(() => undefined);
  const credit = card.locator('tbody tr td').last();
  await expect(credit).toHaveText(/^(183\.30|0\.00|100\.00)$/);
  await expect(credit).toHaveText('–');
  await expect(card.getByRole('alert')).toHaveCount(0);
});

test('shortcuts open their pages, do nothing while a field has the focus, and can be switched off', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  const funded = await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '100' } });
  expect((await funded.json()).ret).toBe(1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openApp(page, HOME, { token });
  await readNotices(page);
  await expect(page.locator('.desk-keys')).toBeVisible();
  const dialog = page.getByRole('dialog');

  await page.keyboard.press('/');
  await expect(dialog.getByLabel('ค้นหาเหรียญ')).toBeFocused();
  // These letters are shortcut keys, but the field has the focus.
  await page.keyboard.type('sol');
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/contracts\?code=SOL$/);
  await expect(dialog).toHaveCount(0);

  await expect(page.locator('.ticket-form')).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.locator('input[name=size]')).toBeFocused();
  await expect(page.locator('.ticket-form > .ui-button')).toHaveText('ขาย SOL');
  await page.keyboard.press('b');
  await expect(page.locator('.ticket-form > .ui-button')).toHaveText('ขาย SOL');
  await page.locator('input[name=size]').blur();

  await page.keyboard.press('u');
  await expect(page).toHaveURL(/Option\/Option$/);
  await page.getByRole('button', { name: '10', exact: true }).click();
  await page.keyboard.press('d');
  // The shortcut key opens the confirmation and buys nothing.
  await expect(dialog.getByRole('button', { name: /^ซื้อลง/ })).toBeVisible();
  await dialog.getByRole('button', { name: /^ซื้อลง/ }).click();
  await expect(page.locator('.open-bets tbody tr')).toHaveCount(1);
  await expect(dialog).toHaveCount(0);

  // Other pages show the open bet in the dock.
  await page.getByRole('link', { name: 'ของฉัน' }).click();
  await expect(page.locator('.bet-dock .holding-card')).toHaveCount(1);

  await page.keyboard.press('?');
  await expectAccessible(page, 'keys');
  await dialog.getByRole('switch', { name: 'ใช้แป้นพิมพ์ลัด' }).uncheck();
  await dialog.getByRole('button', { name: 'ปิด' }).click();
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('u');
  await page.keyboard.press('/');
  await expect(page).toHaveURL(/mine\/mine$/);
  await expect(dialog).toHaveCount(0);
});
