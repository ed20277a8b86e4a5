import { expect, type Page, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const HUB = '/pages/optionRule/index';
const TRADE = '/pages/Option/Option?code=BTC';

const pages = (page: Page): Promise<string[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('pages') ?? '[]') as string[]);

/** The number of the page's history entries that belong to sheets. */
const panelsHere = (page: Page): Promise<number> => page.evaluate(() => Number(history.state?.panels ?? 0));

/** Presses our own back arrow no faster than its guard against double presses allows. */
async function pressArrow(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((begin) => performance.now() - begin > 550, since);
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
}

/** Opens an option's page, with the options' overview as the previous page. */
async function openTrade(page: Page, token: string): Promise<void> {
  await openApp(page, HUB, { token });
  await readNotices(page);
  await page.getByRole('button', { name: /^BTC/ }).click();
  await expect(page).toHaveURL(/code=BTC$/);
}
const picker = (page: Page) => page.getByRole('dialog', { name: 'เลือกเหรียญ' });
async function openPicker(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'BTC / USDT', exact: true }).click();
  await expect(picker(page)).toBeVisible();
}

test('the browser’s Back closes a sheet first; closing a sheet by hand leaves no entry in the history', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await openTrade(page, token);
  await openPicker(page);
  await page.goBack();
  await expect(picker(page)).toHaveCount(0);
  await expect(page).toHaveURL(/code=BTC$/);
  expect(await pages(page)).toEqual([HUB, TRADE]);

  // Goes forward into the closed sheet's entry, and back out of it.
  await page.goForward();
  await expect.poll(() => panelsHere(page)).toBe(0);
  await expect(picker(page)).toHaveCount(0);

  await openPicker(page);
  await page.keyboard.press('Escape');
  await expect(picker(page)).toHaveCount(0);
  await openPicker(page);
  // Within the settling time a second tap would not close the sheet.
  await expect(page.locator('[data-settling]')).toHaveCount(0);
  await page.mouse.click(195, 20);
  await expect(picker(page)).toHaveCount(0);
  await expect.poll(() => panelsHere(page)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/optionRule\/index$/);
  expect(await pages(page)).toEqual([HUB]);
});

test('choosing a coin in the sheet replaces the page under it', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openTrade(page, token);
  await openPicker(page);
  await picker(page).getByRole('button', { name: /^ETH/ }).click();
  await expect(page).toHaveURL(/code=ETH$/);
  await expect(picker(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'ETH / USDT', exact: true })).toBeVisible();
  expect(await pages(page)).toEqual([HUB, '/pages/Option/Option?code=ETH']);
  await page.goBack();
  await expect(page).toHaveURL(/optionRule\/index$/);
});

test('a reload with an open sheet shows the page, and Back leaves it', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openTrade(page, token);
  await openPicker(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'BTC / USDT', exact: true })).toBeVisible();
  await expect.poll(() => panelsHere(page)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/optionRule\/index$/);
});

test('Back answers a confirmation with no, and marks a notice as read', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/mine/mine', { token });
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(/mine\/mine$/);
  const unread = await request.get('/api/users/message/unread', { headers: { token } });
  expect((await unread.json()).data.unread).toBe(0);

  await page.goto('/#/pages/mine/setting');
  await page.getByRole('button', { name: 'ออกจากระบบ', exact: true }).click();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(/mine\/setting$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(token);
});

test('an answer that arrives after leaving its page does not navigate', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/mine/mine', { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'การตั้งค่า' }).click();
  await page.getByRole('button', { name: /^ชื่อเล่น/ }).click();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/users/edit', async (route) => {
    await answered;
    await route.continue();
  });
  await page.getByLabel('ชื่อเล่น').fill('น้ำฝน');
  await page.getByRole('button', { name: 'บันทึก' }).click();
  await page.goBack();
  await expect(page).toHaveURL(/#\/pages\/mine\/setting$/);

  answer();
  await expect(page.getByText('บันทึกแล้ว')).toBeVisible();
  await expect(page.getByRole('button', { name: /น้ำฝน/ })).toBeVisible();
  await expect(page).toHaveURL(/#\/pages\/mine\/setting$/);
});

test('the phone’s Back after our own arrow leads to the page before, not to the page just left', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/coinList/index', { token });
  await readNotices(page);
  await page.getByRole('link', { name: 'ออปชัน' }).click();
  await page.getByRole('button', { name: /^BTC/ }).click();
  await expect(page).toHaveURL(/code=BTC$/);
  const records = page.getByRole('button', { name: 'รายการ', exact: true });
  await records.click();
  await expect(page).toHaveURL(/orderRecord$/);

  await pressArrow(page);
  await expect(page).toHaveURL(/code=BTC$/);
  await pressArrow(page);
  await expect(page).toHaveURL(/optionRule\/index$/);
  await page.goBack();
  await expect(page).toHaveURL(/coinList\/index$/);
  expect(await pages(page)).toEqual(['/pages/coinList/index']);

  // Now in the other order: the phone's Back first, then our arrow.
  await page.getByRole('link', { name: 'ออปชัน' }).click();
  await page.getByRole('button', { name: /^BTC/ }).click();
  await records.click();
  await expect(page).toHaveURL(/orderRecord$/);
  await page.goBack();
  await expect(page).toHaveURL(/code=BTC$/);
  await pressArrow(page);
  await expect(page).toHaveURL(/optionRule\/index$/);
  await page.goBack();
  await expect(page).toHaveURL(/coinList\/index$/);
});
