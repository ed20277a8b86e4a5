import { expect, type Page, test } from '@playwright/test';
import { enter, expectAccessible } from './staff.ts';

async function expectToFit(page: Page, what: string, width: number): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, what);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(width);
}

for (const [name, language, theme, width] of [
  ['fah', 'en', 'light', 1440],
  ['arun', 'th', 'dark', 1024],
  ['ploy', 'th', 'light', 1440],
  ['bua', 'en', 'dark', 1024],
] as const) {
  test(`every page that ${name} may open is accessible in ${language}, ${theme}, ${width} px`, async ({ browser }) => {
    const page = await enter(browser, name, { language, theme });
    await page.setViewportSize({ width, height: 800 });
    const links = await page
      .locator('.side a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.length).toBeGreaterThan(2);
    for (const href of links) {
      await page.goto(`/console/${href}`);
      await expectToFit(page, href, width);
    }
    if (!links.includes('#/customers')) return;
    await page.goto('/console/#/customers?q=nicha');
    await page.getByRole('link', { name: 'nicha' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('nicha');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.press('Enter');
      await expectToFit(page, `profile, ${await tab.textContent()}`, width);
    }
  });
}
