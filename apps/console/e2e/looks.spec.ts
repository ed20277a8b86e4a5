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

test('the dashboard is accessible with everything late, short and waiting', async ({ browser }) => {
  const page = await enter(browser, 'fah', { language: 'en', theme: 'light' });
  await page.route('**/api/admin/dashboard', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const { data } = answer;
    const past = new Date(Date.now() - 3_600_000).toISOString();
    for (const queue of data.queues) Object.assign(queue, { waiting: 7, overdue: 3, oldest_at: past, due_at: past });
    for (const part of data.health) part.is_good = false;
    for (const index of data.indexes) index.stale = true;
    for (const asset of data.custody) asset.difference = '-12.5';
    await route.fulfill({ response, json: answer });
  });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/console/#/dashboard');
    await page.reload();
    await expect(page.locator('.one-look a').nth(5)).toBeVisible();
    await expectToFit(page, `dashboard, ${width} px`, width);
  }
});
