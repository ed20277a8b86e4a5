import { AxeBuilder } from '@axe-core/playwright';
import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test';

interface DemoOperator {
  readonly work_name: string;
  readonly code: string;
}

/** Returns the operator's current code. A code works only once, so after `used` it waits for the next one. */
async function codeOf(request: APIRequestContext, name: string, used?: string): Promise<string> {
  let code = '';
  await expect
    .poll(
      async () => {
        const answer = (await (await request.get('/demo/operators')).json()) as { data: DemoOperator[] };
        code = answer.data.find(({ work_name: workName }) => workName === name)?.code ?? '';
        return code !== '' && code !== used;
      },
      { timeout: 40_000, intervals: [1_000] },
    )
    .toBe(true);
  return code;
}

async function enter(browser: Browser, name: string, settings: object = {}): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const preferences = { state: { theme: 'light', language: 'en', ...settings }, version: 0 };
  await page.addInitScript(
    (stored) => localStorage.setItem('console.preferences', stored),
    JSON.stringify(preferences),
  );
  await page.goto('/console/');
  await page.getByRole('button', { name: new RegExp(`(Sign in as|เข้าสู่ระบบเป็น) ${name}$`) }).click();
  await expect(page.getByRole('navigation')).toBeVisible();
  return page;
}

/** Tries the available codes until one is accepted: the current code may already have been used to sign in. */
async function confirm(page: Page, button: string): Promise<void> {
  const name = await page.locator('.side .me b').textContent();
  const dialog = page.getByRole('dialog').last();
  await expect(async () => {
    await dialog.getByLabel(/Code of your authenticator/).fill(await codeOf(page.request, name ?? ''));
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await expect(dialog).toHaveCount(0, { timeout: 3_000 });
  }).toPass({ timeout: 70_000, intervals: [3_000] });
}

async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.locator('.ui-skeleton')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } })
    .analyze();
  expect(violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

test('a freeze by one person ends early by two, and each step is in the log', async ({ browser }) => {
  test.setTimeout(300_000);
  const mai = await enter(browser, 'mai');
  await expect(mai.getByRole('link', { name: 'Approvals' })).toHaveCount(0);
  await mai.keyboard.press('Control+k');
  await mai.getByRole('combobox').fill('anan');
  await mai.getByRole('option', { name: /anan/ }).click();
  await expect(mai.getByRole('heading', { level: 1 })).toHaveText('anan');
  await expect(mai.getByText('an•••@demo.example')).toBeVisible();

  await mai.getByRole('button', { name: 'Show a field' }).click();
  await mai.getByLabel('Field', { exact: true }).selectOption('email');
  await mai.getByLabel('Reason').fill('the customer wrote from another address');
  await mai.getByRole('button', { name: 'Show it' }).click();
  await expect(mai.getByText('anan@demo.example')).toBeVisible();
  await mai.getByRole('button', { name: 'Close' }).click();

  await mai.getByRole('button', { name: 'Freeze' }).click();
  const form = mai.getByRole('dialog');
  await form.getByLabel('sign-in').uncheck();
  await form.getByLabel('trading').uncheck();
  await expect(form.getByText(/Staff has frozen withdrawals until/)).toBeVisible();
  await form.getByRole('button', { name: 'Freeze', exact: true }).click();
  await confirm(mai, 'Freeze');
  await expect(mai.getByText('frozen').first()).toBeVisible();

  const ploy = await enter(browser, 'ploy');
  await ploy.goto(mai.url());
  await ploy.getByRole('button', { name: 'End it early' }).click();
  await ploy.getByLabel('Reason').fill('the customer proved who they are');
  await ploy.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(ploy.getByText('You asked for this, so another person decides.')).toBeVisible();
  await expect(ploy.getByRole('button', { name: /^Approve/ })).toHaveCount(0);

  const tan = await enter(browser, 'tan');
  await tan.keyboard.press('g');
  await tan.keyboard.press('a');
  await expect(tan.getByRole('heading', { level: 1 })).toHaveText('Approvals');
  await expect(tan.locator('.list a')).not.toHaveCount(0);
  await tan.keyboard.press('j');
  await expect(tan.getByText('the customer proved who they are')).toBeVisible();
  await tan.keyboard.press('a');
  await confirm(tan, 'Approve');
  await expect(tan.locator('.pane').getByText('approved').first()).toBeVisible();
  await ploy.goto(mai.url());
  await expect(ploy.getByText('over', { exact: true }).first()).toBeVisible();

  await tan.keyboard.press('g');
  await tan.keyboard.press('t');
  await expect(tan.getByRole('cell', { name: 'froze', exact: true }).first()).toBeVisible();
  await tan.getByRole('button', { name: /Check the chain/ }).click();
  await expect(tan.getByText(/entries connect, no gap/)).toBeVisible();
});

test('a session that has ended keeps the page, and letters are off in fields', async ({ browser }) => {
  const page = await enter(browser, 'korn');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByLabel('username, id, phone or email').fill('nicha gw');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customers');
  await page.evaluate(() => localStorage.setItem('console.token', `op_${'x'.repeat(43)}`));
  await page.evaluate(() =>
    dispatchEvent(new StorageEvent('storage', { key: 'console.token', newValue: `op_${'x'.repeat(43)}` })),
  );
  await expect(page.getByText(/Your session has ended/)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Sign in as korn' }).click();
  await expect(page.getByText(/Your session has ended/)).toHaveCount(0);
  await expect(page.getByLabel('username, id, phone or email')).toHaveValue('nicha gw');
});

test('a passkey is added with a code, and then opens the console by itself', async ({ browser }) => {
  test.setTimeout(200_000);
  const page = await enter(browser, 'bua');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/console/#/me');
  await page.getByLabel('Name of the device').fill('a laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirm(page, 'Add a passkey');
  await expect(page.getByText('a laptop')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
  await expect(page.locator('.side .me b')).toHaveText('bua');
  await expect(page.getByText('a laptop')).toBeVisible();
});

const PAGES = ['dashboard', 'approvals', 'withdrawals', 'deposits', 'customers', 'audit', 'me'];
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
