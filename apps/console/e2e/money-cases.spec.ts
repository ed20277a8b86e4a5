import { expect, type Page, test } from '@playwright/test';
import { ask, newCustomer } from './customer.ts';
import { answer, confirm, enter, expectAccessible } from './staff.ts';

/** A picture that stands for a slip. */
const BROWN = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQI12NYEKUDRAwQCgAiBgSZF5CtqgAAAABJRU5ErkJggg==',
  'base64',
);

test('an operator matches a slip with the bank’s line, which is restated and confirmed', async ({
  browser,
  request,
}) => {
  const { token, username } = await newCustomer(request);
  const slips = [
    ['3341.63', BROWN],
    ['7000', BROWN],
  ] as const;
  for (const [amount, buffer] of slips) {
    const { id } = await ask(request, token, '/pay/submit', { channel: 'promptpay', amount });
    const uploaded = await request.post('/api/users/upload', {
      headers: { token },
      multipart: { image: { name: 'slip.png', mimeType: 'image/png', buffer } },
    });
    const { data } = await uploaded.json();
    await ask(request, token, '/pay/submit', { channel: 'promptpay', id: String(id), slip: String(data.id) });
    await ask(request, token, '/pay/demo', { channel: 'promptpay', id: String(id) });
  }
  const fah = await enter(browser, 'fah');
  await fah.keyboard.press('g');
  await fah.keyboard.press('e');
  await fah.locator('.list a', { hasText: username }).filter({ hasText: '3,341.63' }).press('Enter');
  await expect(fah.locator('.pane .amount')).toHaveText('3,341.63');
  await expect(fah.locator('.pane').getByText('The same picture is with deposit')).toBeVisible();
  await fah.getByRole('radio').first().press('Space');
  await expectAccessible(fah, 'a slip');
  const matches: string[] = [];
  fah.on('request', (sent) => {
    if (sent.url().includes('/deposits/match')) matches.push(sent.url());
  });
  await fah.keyboard.press('m');
  const restated = fah.getByRole('dialog', { name: 'Match with this line' });
  await expect(restated.getByText('฿3,341.63')).toBeVisible();
  await expect(restated.getByText(username)).toBeVisible();
  await expectAccessible(fah, 'a match, restated');
  // The key has moved nothing.
  expect(matches).toEqual([]);
  await confirm(fah, 'Credit it');
  await expect(fah.getByText(new RegExp(`^Credited .* USDT to ${username}$`))).toBeVisible();
  await expect(fah.locator('.pane .tag').first()).toHaveText(/credited/);
});

test('a statement is imported, and another person attests its closing balance', async ({ browser }) => {
  const [korn, fah] = await Promise.all(['korn', 'fah'].map((name) => enter(browser, name)));
  if (!korn || !fah) throw new Error('nobody signed in');
  const open = async (page: Page): Promise<void> => {
    await page.goto('/console/#/deposits');
    await page.getByRole('button', { name: 'Bank statements…' }).click();
    await expect(page.getByRole('heading', { name: 'Bank statements' })).toBeVisible();
  };
  await open(korn);
  const file = (text: string) => ({ name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const [from, to] = [new Date(Date.now() - 3_600_000).toISOString(), new Date().toISOString()];
  const head = `account,000-0-00000-0\nfrom,${from}\nto,${to}\nopening,100.00`;
  const columns = 'bank_reference,at,amount,payer,reference';
  const line = `E2E-1,${to},50.00,Mali,R`;
  await korn.getByLabel('CSV file').setInputFiles(file(`${head}\nclosing,151.00\n${columns}\n${line}`));
  await korn.getByRole('button', { name: 'Import a statement' }).click();
  await expect(
    korn.getByText('The opening balance and the lines give 150.00, but the closing balance is 151.00.'),
  ).toBeVisible();
  await korn.getByLabel('CSV file').setInputFiles(file(`${head}\nclosing,150.00\n${columns}\n${line}`));
  await korn.getByRole('button', { name: 'Import a statement' }).click();
  await expect(korn.getByText('1 new lines imported, 0 known.')).toBeVisible();
  await expect(korn.getByText('another person attests it')).toBeVisible();
  await expectAccessible(korn, 'bank statements');

  await open(fah);
  await fah.getByRole('button', { name: 'Attest', exact: true }).first().click();
  await expect(fah.getByRole('dialog').getByText('฿150.00')).toBeVisible();
  await answer(fah, 'Attest');
  // The dialog has closed, and the list is visible again.
  await expect(fah.getByText('attested by fah')).toBeVisible();
});

test('four people correct and answer a dispute about a deposit, and the customer reads the answer', async ({
  browser,
  request,
}) => {
  const { token, username } = await newCustomer(request);
  const deposit = await ask(request, token, '/pay/submit', { channel: 'promptpay', amount: '5000' });
  const opened = await ask(request, token, '/users/disputes/open', {
    kind: 'deposit',
    id: String(deposit.id),
    reason: 'the app was down',
  });
  const [korn, fah, mai, ploy] = await Promise.all(['korn', 'fah', 'mai', 'ploy'].map((name) => enter(browser, name)));
  if (!korn || !fah || !mai || !ploy) throw new Error('nobody signed in');

  await korn.goto('/console/#/corrections?tab=new');
  await korn.getByText('From the goodwill account').click();
  await korn.getByLabel(/^Customer/).fill('nobody_of_this_name');
  await korn.getByLabel('Amount').fill('15');
  await expect(korn.getByText('This customer wasn’t found.')).toBeVisible();
  await korn.getByLabel(/^Customer/).fill(username);
  await korn.keyboard.press('Tab');
  const about = korn.getByLabel('What it is about');
  await expect(about.locator('option', { hasText: String(deposit.order_number) })).toHaveCount(1);
  await about.selectOption(`dispute ${opened.id}`);
  await korn.getByLabel(/^In your words/).fill('the page was down for an hour');
  await expect(korn.getByText('The account can pay')).toBeVisible();
  await expectAccessible(korn, 'a correction');
  await korn.getByRole('button', { name: 'Send to a second person' }).press('Enter');
  await expect(korn.getByRole('dialog').getByText(username)).toBeVisible();
  await expectAccessible(korn, 'a proposal, to be signed');
  await confirm(korn, 'Sign and propose');
  await expect(korn.getByText('You made it; another person checks it.')).toBeVisible();
  const number = (await korn.locator('.pane h2').textContent()) ?? '';

  await fah.goto(korn.url());
  await expect(fah.locator('.pane h2')).toHaveText(number);
  await fah.keyboard.press('a');
  await confirm(fah, 'Approve and post');
  await expect(fah.locator('.pane .tag').first()).toHaveText('posted');

  await mai.goto(`/console/#/disputes/${opened.id}?about=money`);
  await mai.getByLabel('Link to the answer').selectOption({ label: number });
  await mai.getByLabel(/^Answer/).fill('You are right, and we are sorry.');
  await mai.getByRole('button', { name: /^Propose the answer/ }).press('Enter');
  await confirm(mai, 'Sign and propose');
  await expect(mai.getByText('Waits for compliance.')).toBeVisible();
  await expectAccessible(mai, 'a dispute about money');

  await ploy.goto(`/console/#/disputes/${opened.id}?about=money`);
  await expect(ploy.getByText('You are right, and we are sorry.')).toBeVisible();
  await ploy.keyboard.press('a');
  await confirm(ploy, 'Confirm the answer, close');
  await expect(ploy.locator('.pane .foot')).toHaveCount(0);

  await ask(request, token, '/users/message/reader', { ids: 'all' });
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.addInitScript(
    ([session, preferences]) => {
      localStorage.setItem('token', session ?? '');
      localStorage.setItem('preferences', preferences ?? '');
    },
    [token, JSON.stringify({ state: { language: 'th', theme: 'light' }, version: 0 })],
  );
  await phone.goto('/#/pages/Option/orderRecord/disputes?tab=money');
  await expect(phone.getByText('You are right, and we are sorry.')).toBeVisible();
  await expect(phone.getByText(number)).toBeVisible();
  await phone.goto('/#/pages/mine/corrections');
  await expect(phone.getByText('+15.00 USDT')).toBeVisible();
});

test('two people end cases of transfers on another network, and the customer reads the result', async ({
  browser,
  request,
}) => {
  const { token } = await newCustomer(request);
  const { data: customer } = await (await request.get('/api/users/info', { headers: { token } })).json();
  const [mai, korn, ploy] = await Promise.all(['mai', 'korn', 'ploy'].map((name) => enter(browser, name)));
  if (!mai || !korn || !ploy) throw new Error('nobody signed in');
  const back = 'b'.repeat(64);
  for (const [ending, network, amount] of [
    ['Returned there', 'Tron', '1250.5'],
    ['Can’t be recovered', 'Bitcoin', '320'],
  ] as const) {
    await mai.goto('/console/#/deposits?tab=wrong_network');
    await mai.getByRole('button', { name: 'Open a case' }).click();
    const form = mai.getByRole('dialog');
    await form.getByLabel(/^Customer/).fill(String(customer.id));
    await form.getByLabel('Network').selectOption({ label: network });
    await form.getByLabel('Amount as stated').fill(amount);
    await form.getByLabel('Transaction hash').fill(network.slice(0, 1).charCodeAt(0).toString(16).repeat(32));
    await form.getByLabel('What the customer reads').fill('We ask those who hold the keys there.');
    await expectAccessible(mai, 'opening a case');
    await form.getByRole('button', { name: 'Open a case' }).press('Enter');
    await expect(form).toHaveCount(0);
    await expect(mai.locator('.pane').getByText(network)).toBeVisible();

    await korn.goto(mai.url());
    await korn.locator('.foot').getByRole('button', { name: ending }).press('Enter');
    if (ending === 'Returned there') {
      await korn.getByLabel(/^Hash of the transaction/).fill(back);
      await korn.getByRole('button', { name: 'Send', exact: true }).press('Enter');
    }
    await confirm(korn, 'Sign and propose');
    await expect(korn.locator('.foot')).toContainText(/korn/);

    await ploy.goto(mai.url());
    await expect(ploy.locator('.foot')).toContainText(/korn/);
    await ploy.keyboard.press('a');
    await confirm(ploy, 'Approve');
    await expect(
      ploy.locator('.pane').getByText(ending === 'Returned there' ? 'returned there' : 'can’t be recovered'),
    ).toBeVisible();
  }

  await ask(request, token, '/users/message/reader', { ids: 'all' });
  for (const [language, theme, names] of [
    ['th', 'light', ['ส่งคืนแล้ว', 'ไม่สามารถกู้คืนได้']],
    ['ar', 'dark', ['أُعيد', 'لا يمكن استرداده']],
  ] as const) {
    const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await phone.addInitScript(
      ([session, preferences]) => {
        localStorage.setItem('token', session ?? '');
        localStorage.setItem('preferences', preferences ?? '');
      },
      [token, JSON.stringify({ state: { language, theme }, version: 0 })],
    );
    await phone.emulateMedia({ reducedMotion: 'reduce' });
    await phone.goto('/#/pages/Recharge/record');
    await expectAccessible(phone, 'the list of deposits');
    for (const [place, name] of names.entries()) {
      await phone.goto('/#/pages/Recharge/record');
      await phone
        .getByText(place === 0 ? '1,250.5' : '320')
        .first()
        .click();
      await expect(phone.getByText(name)).toBeVisible();
      await expect(phone.getByText('We ask those who hold the keys there.')).toBeVisible();
      await expectAccessible(phone, `a transfer on another network, ${language}`);
    }
  }
});
