import { expect, type Page, test } from '@playwright/test';
import { addAuthenticator, confirm, enter, expectAccessible } from './staff.ts';

/** Opens the treasury and signs what is open there. */
async function signRun(page: Page, button: string): Promise<void> {
  await page.goto('/console/#/treasury');
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toHaveCount(0);
}

test('a passkey becomes an owner of the treasury, and the chain accepts what it signs in the browser', async ({
  browser,
}) => {
  const tan = await enter(browser, 'tan');
  await addAuthenticator(tan);
  await tan.goto('/console/#/me');
  await tan.getByLabel('Name of the device').fill('a key');
  await tan.getByRole('button', { name: 'Add a passkey' }).click();
  await confirm(tan, 'Add a passkey');
  await expect(tan.getByText('a key').first()).toBeVisible();

  const [korn, ploy, fah] = [await enter(browser, 'korn'), await enter(browser, 'ploy'), await enter(browser, 'fah')];
  await korn.goto('/console/#/treasury');
  const own = korn.getByRole('row', { name: /^tan/ });
  await expect(own.getByText('demo key')).toBeVisible();
  await own.getByRole('button', { name: 'Replace' }).click();
  await korn.getByRole('dialog').getByLabel('New owner').selectOption('tan');
  await expectAccessible(korn, 'a change of owners');
  await korn.getByRole('dialog').getByRole('button', { name: 'Open the change' }).click();
  for (const page of [ploy, fah]) await signRun(page, 'Sign with the demo key');
  await expect(own.getByText('passkey', { exact: true })).toBeVisible();
  await expect(own.getByText('demo key')).toHaveCount(0);

  // The next change is signed by the passkey itself.
  const cold = `0x${'c0'.repeat(20)}`;
  await korn.getByRole('button', { name: 'Add an owner' }).click();
  const dialog = korn.getByRole('dialog');
  await dialog.getByLabel('New owner').selectOption('');
  await dialog.getByLabel('Address of a cold key').fill('0x12');
  await dialog.getByRole('button', { name: 'Open the change' }).click();
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await dialog.getByLabel('Address of a cold key').fill(cold);
  await dialog.getByRole('button', { name: 'Open the change' }).click();
  await expect(dialog).toHaveCount(0);

  // A server that shows another owner than the run adds gets no signature.
  await tan.route('**/api/admin/treasury/info**', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    if (json.data.run) json.data.run.change.coming.address = `0x${'66'.repeat(20)}`;
    await route.fulfill({ response, json });
  });
  await tan.goto('/console/#/treasury');
  await expect(tan.getByText('The hash of the server is not that of these lines.')).toBeVisible();
  await expect(tan.getByRole('button', { name: 'Sign with your passkey' })).toHaveCount(0);
  await tan.unroute('**/api/admin/treasury/info**');
  await tan.reload();

  await signRun(tan, 'Sign with your passkey');
  await expect(tan.getByText('You have signed.')).toBeVisible();
  await expect(tan.getByRole('button', { name: 'Sign with your passkey' })).toHaveCount(0);
  await signRun(ploy, 'Sign with the demo key');
  await expect(korn.getByText('Moving anything out of the treasury takes 2 of these 5 keys.')).toBeVisible();
  await expect(korn.getByText('cold key', { exact: true })).toBeVisible();
});
