import { expect, test } from '@playwright/test';
import { confirm, enter } from './staff.ts';

test('two people end a freeze early that one person began, and the log has each step', async ({ browser }) => {
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
  await confirm(ploy, 'Sign and propose');
  const yours = ploy.getByText('You asked for this, so another person decides.');
  await expect(yours).toBeVisible();
  // Nothing has happened yet, so the operator can take it back at once.
  await ploy.getByRole('button', { name: 'Undo' }).click();
  await expect(ploy.getByText('Taken back. Nobody will be asked.')).toBeVisible();
  await expect(yours).toHaveCount(0);
  await ploy.goto(mai.url());
  await ploy.getByRole('button', { name: 'End it early' }).click();
  await ploy.getByLabel('Reason').fill('the customer proved who they are');
  await ploy.getByRole('button', { name: 'Ask a second person' }).click();
  await confirm(ploy, 'Sign and propose');
  await expect(yours).toBeVisible();
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
