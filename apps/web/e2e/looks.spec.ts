import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const PAGES = [
  '/pages/index/index',
  '/pages/coinList/index',
  '/pages/optionRule/index',
  '/pages/Option/Option?code=BTC',
  '/pages/Option/Option_old?code=BTC',
  '/pages/Option/orderRecord/orderRecord',
  '/pages/Option/orderRecord/orderRecord?tab=history',
  '/pages/verify/index',
  '/pages/blindbox/index',
];

for (const language of ['th', 'en', 'ar'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`axe finds nothing, and nothing is wider than the phone: ${language}, ${theme}`, async ({ page, request }) => {
      const { token } = await newCustomer(request);
      // A price that is just changing is between two colours.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await openApp(page, PAGES[0] ?? '', { token, language, theme });
      await readNotices(page);
      for (const path of PAGES) {
        await page.goto(`/#${path}`);
        await expect(page.locator('main')).not.toBeEmpty();
        // Skeletons are gone, and nothing is between two colours.
        await expect(page.locator('.ui-skeleton')).toHaveCount(0);
        await page.waitForFunction(() =>
          document.getAnimations().every((animation) => animation.playState !== 'running'),
        );
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
          [],
        );
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
      }
    });
  }
}
