import { expect, type Route, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const CONTRACTS = '/pages/contracts/contracts?code=BTC';
const OPTION = '/pages/Option/Option?code=BTC';

test('a chart has figures under the crosshair, indicators, full screen, and an alert line', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await page.setViewportSize({ width: 1440, height: 900 });
  // A changing price is drawn between two colours, so animations are off.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openApp(page, CONTRACTS, { token });
  await readNotices(page);
  const canvas = page.locator('.chart-canvas');
  await expect(canvas.locator('canvas').first()).toBeVisible();
  const sheet = page.getByRole('dialog');

  await page.getByRole('button', { name: 'อินดิเคเตอร์' }).click();
  for (const name of [/^MA 7/, /^โบลลิงเจอร์แบนด์/, /^RSI/, /^MACD/]) await sheet.getByRole('switch', { name }).check();
  await sheet.getByRole('button', { name: 'ปิด' }).click();
  await expect(sheet).toHaveCount(0);

  const box = await canvas.boundingBox();
  if (!box) throw new Error('no chart');
  await expect(async () => {
    await page.mouse.move(box.x + box.width * 0.5, box.y + 100);
    await page.mouse.move(box.x + box.width * 0.6, box.y + 110);
    for (const name of ['เปิด', 'สูง', 'ต่ำ', 'ปิด', 'ปริมาณ', 'MA7', 'MA25', 'RSI 14', 'DIF'])
      await expect(page.locator('.chart-legend')).toContainText(name, { timeout: 1_000 });
  }).toPass();
  // The candles as a table, for people who cannot see the chart.
  await expect(page.getByRole('table', { name: 'แท่งเทียนล่าสุดของ BTC' }).getByRole('row')).not.toHaveCount(1);

  await page.getByRole('button', { name: 'แสดงกราฟเต็มจอ' }).click();
  await expect.poll(async () => (await page.locator('.chart-panel').boundingBox())?.height).toBe(900);
  await page.keyboard.press('Escape');
  await expect(page.locator('.chart-panel[data-full]')).toHaveCount(0);

  // Keys or a finger move the line, and its price fills the form.
  await page.getByRole('button', { name: 'ลากเส้นตั้งเตือนราคา' }).click();
  const line = page.getByRole('slider', { name: bound('ราคาที่จะแจ้งเตือน ลากขึ้นหรือลง') });
  await expect(line).toBeFocused();
  const first = Number(await line.getAttribute('aria-valuenow'));
  await page.keyboard.press('ArrowDown');
  expect(Number(await line.getAttribute('aria-valuenow'))).toBeLessThan(first);
  // Retries, because the line finds its place a moment after the chart has its size back.
  await expect(async () => {
    const place = await line.boundingBox();
    if (!place) throw new Error('no line');
    await page.mouse.move(place.x + 200, place.y + place.height / 2);
    await page.mouse.down();
    // The upper edge is above every candle, wherever the last price is.
    await page.mouse.move(place.x + 200, box.y + 4, { steps: 4 });
    await page.mouse.up();
    expect(Number(await line.getAttribute('aria-valuenow'))).toBeGreaterThan(first);
  }).toPass();
  const chosen = await line.getAttribute('aria-valuenow');
  await page.getByRole('button', { name: 'ตั้งเตือน', exact: true }).click();
  await expect(sheet.locator('input[name=price]')).toHaveValue(Number(chosen).toFixed(2));
  await expectAccessible(page, 'a drawn alert');
});

test('candles that do not come are reported, can be loaded again, and are drawn if they come after all', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  let isHeld = true;
  const held: Route[] = [];
  await page.route('**/api/coin/data/lists', (route) => (isHeld ? void held.push(route) : route.continue()));
  await openApp(page, CONTRACTS, { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'แสดงกราฟ', exact: true }).click();
  const place = page.locator('.chart-place');
  const retry = place.getByRole('button', { name: 'ลองอีกครั้ง' });
  await expect(place).toContainText('กำลังโหลดกราฟ');
  await expect(retry).toBeVisible();
  isHeld = false;
  await retry.click();
  await expect(place).not.toContainText('กราฟ');
  // Another interval waits in the same way, although the last one's candles have come.
  isHeld = true;
  await page.getByRole('button', { name: '5 นาที', exact: true }).click();
  await expect(place).toContainText('กำลังโหลดกราฟ');
  await expect(retry).toBeVisible();
  await held.at(-1)?.continue();
  await expect(place).not.toContainText('กราฟ');
});

test('a live line that never begins is reported, and can be loaded again', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  let isHeld = true;
  // Only the price of the first answer: no tick follows, and none before it can be read.
  await page.routeWebSocket('**/api/stream', () => {});
  let first: Promise<string> | undefined;
  await page.route('**/api/coin/lists*', async (route) => {
    first ??= route.fetch().then((response) => response.text());
    await route.fulfill({ contentType: 'application/json', body: await first });
  });
  await page.route('**/api/proof/ticks*', (route) => (isHeld ? undefined : route.continue()));
  await openApp(page, OPTION, { token });
  await readNotices(page);
  const line = page.locator('.live-line');
  await expect(line).toHaveText('กำลังโหลดกราฟ');
  const retry = line.getByRole('button', { name: 'ลองอีกครั้ง' });
  await expect(retry).toBeVisible();
  isHeld = false;
  await retry.click();
  await expect(line).toHaveText('');
});

test('the live line has only full screen, also after candles', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await openApp(page, OPTION, { token });
  await readNotices(page);
  const tools = page.locator('.chart-tools button');
  await expect(tools).toHaveCount(1);
  await page.getByRole('button', { name: '1 นาที' }).click();
  await expect(tools).toHaveCount(3);
  await page.getByRole('button', { name: 'สด', exact: true }).click();
  await expect(page.locator('.live-line canvas')).toBeVisible();
  await expect(tools).toHaveCount(1);
  await expect(page.getByRole('table')).toHaveCount(0);
  expect(faults).toEqual([]);
});

for (const path of [CONTRACTS, OPTION]) {
  test(`a phone in landscape format shows only the chart: ${path}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    await openApp(page, path, { token, language: 'ar' });
    await readNotices(page);
    await page.setViewportSize({ width: 844, height: 390 });
    await expect.poll(() => page.locator('.chart-panel').boundingBox()).toMatchObject({ x: 0, y: 0, height: 390 });
    await expect(page.locator('.chart-place canvas').first()).toBeInViewport();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.locator('.chart-panel[data-full]')).toHaveCount(0);
  });
}
