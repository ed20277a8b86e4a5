import { expect, test } from '@playwright/test';
import { enter, expectAccessible } from './staff.ts';

const PAGES = ['dashboard', 'approvals', 'withdrawals', 'deposits', 'customers', 'operators', 'audit', 'me'];
for (const [language, theme, width] of [
  ['en', 'light', 1440],
  ['th', 'dark', 1024],
] as const) {
  test(`is accessible in ${language}, ${theme}, ${width} px`, async ({ browser }) => {
    const page = await enter(browser, language === 'en' ? 'fah' : 'arun', { language, theme });
    await page.setViewportSize({ width, height: 800 });
    for (const name of PAGES) {
      await page.goto(`/console/#/${name}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page, name);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    }
  });
}
