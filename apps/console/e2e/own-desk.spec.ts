import { expect, test } from '@playwright/test';
import { enter, expectAccessible } from './staff.ts';

test.use({ timezoneId: 'Asia/Tokyo' });

test('an operator saves a filter under a name, finds it again, and reads times in the own zone', async ({
  browser,
}) => {
  const tan = await enter(browser, 'tan');
  await tan.goto('/console/#/customers?q=nicha');
  await expect(tan.getByRole('link', { name: /nicha/ })).toBeVisible();
  await tan.keyboard.press('v');
  const dialog = tan.getByRole('dialog', { name: 'My filters' });
  await expect(dialog.getByLabel('Name of this filter')).toHaveValue('nicha');
  await dialog.getByLabel('Name of this filter').fill('our demo customer');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);

  await tan.goto('/console/#/customers');
  await tan.reload();
  await tan.getByRole('button', { name: 'My filters' }).click();
  await expectAccessible(tan, 'the dialog of saved filters');
  await dialog.getByRole('button', { name: 'our demo customer', exact: true }).click();
  await expect(tan).toHaveURL(/customers\?q=nicha/);

  await tan.keyboard.press('g');
  await tan.keyboard.press('d');
  await tan.keyboard.press('Control+k');
  await tan.getByRole('combobox').fill('demo cust');
  await tan.getByRole('option', { name: /our demo customer/ }).click();
  await expect(tan).toHaveURL(/customers\?q=nicha/);

  await tan.keyboard.press('v');
  await dialog.getByRole('button', { name: 'Remove our demo customer' }).click();
  await expect(dialog.getByText('None yet.')).toBeVisible();
  await tan.keyboard.press('Escape');

  // The house counts its days in Bangkok, two hours behind Tokyo.
  const clock = tan.locator('.zone time');
  await expect(clock).toContainText('Bangkok');
  const hourOf = async () => Number((await clock.textContent())?.slice(0, 2));
  const hour = await hourOf();
  await tan.getByTitle('Show times in your own time zone').click();
  await expect(clock).toContainText('Tokyo');
  expect([2, 3]).toContain(((await hourOf()) - hour + 24) % 24);
  await tan.reload();
  await expect(clock).toContainText('Tokyo');
});
