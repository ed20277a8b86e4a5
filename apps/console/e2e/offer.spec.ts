import { expect, test } from '@playwright/test';
import { confirm, enter, expectAccessible } from './staff.ts';

test('customers see a rate that one person proposed and another approved, before it takes effect', async ({
  browser,
}) => {
  const korn = await enter(browser, 'korn');
  await korn.keyboard.press('g');
  await korn.keyboard.press('p');
  await korn.goto('/console/#/products/60?tab=lockup');
  await expect(korn.getByRole('heading', { name: /60 days · terms over time/ })).toBeVisible();
  await korn.keyboard.press('e');
  await korn.getByLabel('Daily rate (%)').fill('0.017');
  const day = new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10);
  await korn.getByLabel(/From the beginning of/).fill(day);
  await korn.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(korn.locator('.seen')).toContainText('new lock-ups of 60 days earn 0.017 % a day (now 0.018 %)');
  await expect(korn.locator('.offer-diff mark').first()).toHaveText('0.017 %');
  await korn.getByLabel('Why it is asked').fill('the reserve earns less');
  await korn.getByRole('button', { name: 'Ask a second person' }).click();
  await expect(korn.getByRole('dialog').getByText('0.017 %').first()).toBeVisible();
  await expectAccessible(korn, 'a proposal of terms, to be signed');
  await confirm(korn, 'Sign and propose');
  await expect(korn.getByText('You asked for this, so another person decides.')).toBeVisible();

  const phone = await (await browser.newContext({ locale: 'th-TH' })).newPage();
  await phone.goto('/#/pages/Lock-up/Lock-up');
  await expect(phone.getByText(/0\.018%/).first()).toBeVisible();
  await expect(phone.getByText(/0\.017%/)).toHaveCount(0);

  const tan = await enter(browser, 'tan');
  await tan.goto('/console/#/products/60?tab=lockup');
  await expect(tan.getByText('the reserve earns less')).toBeVisible();
  await tan.getByRole('button', { name: /^Approve/ }).click();
  await confirm(tan, 'Approve');
  await expect(tan.getByText('approved, begins later').first()).toBeVisible();

  await phone.reload();
  await expect(phone.getByText(/0\.017%/).first()).toBeVisible();
  await expect(phone.getByText(/0\.018%/).first()).toBeVisible();

  // One person can stop an approved change without a second person.
  await tan.getByRole('button', { name: 'Stop it' }).click();
  await tan.getByRole('dialog').getByLabel('Reason').fill('a wrong figure');
  await tan.getByRole('dialog').getByRole('button', { name: 'Stop it' }).click();
  await expect(tan.getByRole('cell', { name: /stopped: tan/ })).toBeVisible();
  await phone.reload();
  await expect(phone.getByText(/0\.018%/).first()).toBeVisible();
  await expect(phone.getByText(/0\.017%/)).toHaveCount(0);
});

test('customers see a pause by one person at once', async ({ browser }) => {
  const ploy = await enter(browser, 'ploy');
  await ploy.goto('/console/#/pauses');
  await ploy.getByRole('button', { name: 'Pause something' }).click();
  const dialog = ploy.getByRole('dialog');
  await dialog.getByLabel('What').selectOption('lockup');
  await dialog.getByLabel('Reason in English').fill('The yields are under review.');
  await dialog.getByLabel('Reason in Thai').fill('อยู่ระหว่างทบทวนผลตอบแทน');
  await dialog.getByRole('button', { name: 'Pause now' }).click();
  await expect(ploy.getByRole('cell', { name: 'The yields are under review.' })).toBeVisible();
  const answer = (await (await ploy.request.get('/api/offer/pauses', { headers: { lang: 'th' } })).json()) as {
    data: object[];
  };
  expect(answer.data).toMatchObject([{ subject: 'lockup', text: 'อยู่ระหว่างทบทวนผลตอบแทน' }]);
  await ploy.getByRole('button', { name: 'Start it again' }).click();
  await ploy.getByRole('dialog').getByRole('textbox').fill('reviewed');
  await ploy.getByRole('dialog').getByRole('button', { name: 'Ask a second person' }).click();
  await confirm(ploy, 'Sign and propose');
  const fah = await enter(browser, 'fah');
  await fah.goto('/console/#/pauses');
  await fah.getByRole('link', { name: 'needs one other person' }).click();
  await fah.getByRole('button', { name: /^Approve/ }).click();
  await confirm(fah, 'Approve');
  await fah.goto('/console/#/pauses');
  await expect(fah.getByRole('link', { name: 'needs one other person' })).toHaveCount(0);
});
