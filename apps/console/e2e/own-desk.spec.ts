import { expect, test } from '@playwright/test';
import { enter, expectAccessible } from './staff.ts';

test.use({ timezoneId: 'Asia/Tokyo' });

test('an operator saves a filter under a name, finds it again, and reads times in their own zone', async ({
  browser,
}) => {
  const tan = await enter(browser, 'tan');
  await tan.goto('/console/#/approvals?tab=decided&q=nicha');
  await expect(tan.getByRole('tab', { name: 'Decided' })).toHaveAttribute('aria-selected', 'true');
  await tan.keyboard.press('v');
  const dialog = tan.getByRole('dialog', { name: 'My filters' });
  await expect(dialog.getByLabel('Name of this filter')).toHaveValue('Decided');
  await dialog.getByLabel('Name of this filter').fill('what was decided');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  // Operators search for people by name or phone, which the browser must not store.
  expect(await tan.evaluate(() => localStorage.getItem('console.views'))).not.toContain('nicha');

  await tan.goto('/console/#/approvals');
  await tan.reload();
  await tan.getByRole('button', { name: 'My filters' }).click();
  await expectAccessible(tan, 'the dialog of saved filters');
  await dialog.getByRole('button', { name: 'what was decided', exact: true }).click();
  await expect(tan).toHaveURL(/approvals\?tab=decided/);

  await tan.keyboard.press('g');
  await tan.keyboard.press('d');
  await tan.keyboard.press('Control+k');
  await tan.getByRole('combobox').fill('was decid');
  await tan.getByRole('option', { name: /what was decided/ }).click();
  await expect(tan).toHaveURL(/approvals\?tab=decided/);

  await tan.keyboard.press('v');
  await dialog.getByRole('button', { name: 'Remove what was decided' }).click();
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
