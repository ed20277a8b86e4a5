import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { FIND_LIVE_MARKUP_SCRIPT, PLANTED_MARKUP, plantInAnswer } from '@sathorn/api/testing-answers';
import { ask, newCustomer } from './customer.ts';
import { enter } from './staff.ts';

test('H2 markup in any text of any answer is shown as text, on every page of the console', async ({
  browser,
  request,
}) => {
  const { token, username } = await newCustomer(request);
  const person = { type: 'passport', name: 'Somchai Jaidee', birth_date: '1990-01-31' };
  await ask(request, token, '/users/levelauth', { level: 'primary', ...person, number: `P${Date.now() % 10_000_000}` });

  await ask(request, token, '/support/send', { id: randomUUID(), text: PLANTED_MARKUP });

  const page = await enter(browser, 'tan');
  const planted = new Set<string>();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.route('**/api/admin/**', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json().catch(() => null);
    if (body?.ret !== 1) return route.fulfill({ response: answer });
    const { pathname } = new URL(route.request().url());
    const data = plantInAnswer(route.request().method(), pathname.replace('/api', ''), body.data, planted);
    return route.fulfill({ response: answer, json: { ...body, data } });
  });
  const links = await page.locator('.side a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  let shown = 0;
  const look = async (what: string): Promise<void> => {
    await expect(page.locator('.ui-skeleton'), what).toHaveCount(0);
    expect(await page.evaluate(FIND_LIVE_MARKUP_SCRIPT), what).toEqual([]);
    if (((await page.locator('body').textContent()) ?? '').includes('data-planted')) shown += 1;
  };
  for (const href of links) {
    await page.goto(`/console/${href}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await look(href);
    const first = page.locator('main .list a, main tbody a').first();
    if ((await first.count()) === 0) continue;
    await page.goto(`/console/${await first.getAttribute('href')}`);
    await look(`the first of ${href}`);
  }
  await page.goto(`/console/#/customers?q=${username}`);
  await page.locator('tbody a').first().click();
  await expect(page.getByRole('tab').first()).toBeVisible();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.press('Enter');
    await look(`profile, ${await tab.textContent()}`);
  }
  // Waits for answers that are still being replaced, because their routes cannot be fulfilled once the page is closed.
  await page.unrouteAll({ behavior: 'wait' });
  expect(dialogs).toEqual([]);
  // Ensures that the test has seen enough planted texts.
  expect(planted.size).toBeGreaterThan(20);
  expect(shown).toBeGreaterThan(8);
});
