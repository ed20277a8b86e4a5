import { expect, test } from '@playwright/test';
import { addAuthenticator, confirm, openConsole, signIn } from './staff.ts';

test('the page stays when its session has ended, and letter shortcuts do nothing in fields', async ({ browser }) => {
  const page = await openConsole(browser);
  await signIn(page, 'korn');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByLabel('username, id, phone or email').fill('nicha gw');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customers');
  await page.evaluate(() => localStorage.setItem('console.token', `op_${'x'.repeat(43)}`));
  await page.evaluate(() =>
    dispatchEvent(new StorageEvent('storage', { key: 'console.token', newValue: `op_${'x'.repeat(43)}` })),
  );
  const ended = page.getByText(/Your session has ended/);
  await expect(ended).toBeVisible();
  // The code of the first sign-in may still be current, and the server refuses it a second time.
  await expect(async () => {
    if (await ended.isVisible()) await page.getByRole('button', { name: 'Sign in as korn' }).click({ timeout: 2_000 });
    await expect(ended).toHaveCount(0, { timeout: 10_000 });
  }).toPass();
  await expect(page.getByLabel('username, id, phone or email')).toHaveValue('nicha gw');
});

test('a code adds a passkey, which then opens the console alone', async ({ browser }) => {
  const page = await openConsole(browser);
  await signIn(page, 'bua');
  await addAuthenticator(page);
  await page.goto('/console/#/me');
  await page.getByLabel('Name of the device').fill('a laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirm(page, 'Add a passkey');
  await expect(page.getByText('a laptop').first()).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
  await expect(page.locator('.side .me b')).toHaveText('bua');
  await expect(page.getByText('a laptop').first()).toBeVisible();
});
