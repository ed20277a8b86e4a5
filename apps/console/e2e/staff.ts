import { AxeBuilder } from '@axe-core/playwright';
import { type APIRequestContext, type Browser, expect, type Page } from '@playwright/test';

interface DemoOperator {
  readonly work_name: string;
  readonly password: string;
  readonly code: string;
  readonly seconds_left: number;
}

/**
 * Reads a demo operator's credentials. A code works once, and already one step early, so the next one may be waited
 * for.
 */
async function credentialsOf(request: APIRequestContext, name: string): Promise<DemoOperator> {
  let found: DemoOperator | undefined;
  await expect
    .poll(
      async () => {
        const answer = (await (await request.get('/demo/operators')).json()) as { data: DemoOperator[] };
        found = answer.data.find(({ work_name: workName }) => workName === name);
        return found !== undefined && found.seconds_left < 59;
      },
      { timeout: 70_000, intervals: [1_000] },
    )
    .toBe(true);
  return found as DemoOperator;
}

/** Signs in with password and authenticator, using only the keyboard. */
export async function enter(browser: Browser, name: string, settings: object = {}): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const preferences = { state: { theme: 'light', language: 'en', ...settings }, version: 0 };
  await page.addInitScript(
    (stored) => localStorage.setItem('console.preferences', stored),
    JSON.stringify(preferences),
  );
  await page.goto('/console/');
  await signIn(page, name);
  return page;
}

export async function signIn(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('textbox', { name: /^(Work name|ชื่อที่ใช้ทำงาน)/ })).toBeVisible();
  const { password, code } = await credentialsOf(page.request, name);
  await page.getByRole('textbox', { name: /^(Work name|ชื่อที่ใช้ทำงาน)/ }).focus();
  for (const text of [name, password, code]) {
    await page.keyboard.insertText(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation')).toBeVisible();
  // Keys count once the page is there.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Confirms a decision with a code. */
export async function answer(page: Page, button: string): Promise<void> {
  const name = (await page.locator('.side .me b').textContent()) ?? '';
  const dialog = page.getByRole('dialog').last();
  const { code } = await credentialsOf(page.request, name);
  await dialog.getByLabel(/Code of your authenticator|รหัสจากแอปยืนยันตัวตน/).fill(code);
  await dialog.getByRole('button', { name: button, exact: true }).press('Enter');
}

/** Confirms a decision that leaves no dialog behind. */
export async function confirm(page: Page, button: string): Promise<void> {
  await answer(page, button);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.locator('.ui-skeleton')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } })
    .analyze();
  expect(violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
