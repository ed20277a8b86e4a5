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
  test(`from 900 px on the tabs are a rail beside every page, and no page is wider: ${language}, ${theme}`, async ({
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
        // Beside each other in either direction of writing.
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

test('at 1,440 px an option is chosen, seen and bought in one view', async ({ page, request }) => {
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
