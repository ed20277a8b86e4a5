import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { newCustomer, openApp } from './new-customer.ts';

for (const language of ['th', 'ar'])
  test(`a conversation continues after a lost connection, in ${language}`, async ({ page, request, context }) => {
    const { token } = await newCustomer(request);
    const said: string[] = [];
    page.on('dialog', (dialog) => said.push(dialog.message()));
    await openApp(page, '/pages/service/index', { token, language });
    await request.post('/api/users/message/reader', { form: { ids: 'all' }, headers: { token } });
    // A message written before the account has loaded is sent afterwards.
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    await page.route('**/api/users/info*', (route) => isWritten.then(() => route.continue()));
    await page.reload();
    await page.locator('textarea').fill('<img src=x onerror=alert(1)> ช่วยด้วย');
    await page.locator('.service-send').click();
    await expect(page.locator('.service-row[data-waits]')).toHaveCount(1);
    written();
    const own = page.locator('.service-row[data-of="customer"]:not([data-waits])');
    await expect(own).toHaveCount(1);

    await context.setOffline(true);
    await page.locator('textarea').fill('sent later');
    await page.locator('.service-send').click();
    await expect(page.locator('.service-row[data-waits]')).toHaveCount(1);
    await context.setOffline(false);
    await expect(page.locator('.service-row[data-waits]')).toHaveCount(0);
    await expect(own).toHaveCount(2);
    expect(said).toEqual([]);
    await expect(page.locator('.service-bubble img')).toHaveCount(0);
    await expectAccessible(page, '/pages/service/index');

    await lookAt(page, '/pages/index/share');
    await expect(page.locator('.share-poster')).toBeVisible();
    await expectAccessible(page, '/pages/index/share');
    await lookAt(page, '/pages/Option/orderRecord/disputes');
    await expectAccessible(page, '/pages/Option/orderRecord/disputes');
  });

test('a brand’s external customer service opens with the language and the customer', async ({ page, request }) => {
  const { token, username } = await newCustomer(request);
  await request.post('/api/users/message/reader', { form: { ids: 'all' }, headers: { token } });
  const { data } = await (await request.get('/api/users/info', { headers: { token } })).json();
  await page.route('**/api/other/config?act=system', async (route) => {
    const answer = await (await route.fetch()).json();
    answer.data.service_url = 'https://help.example/chat?shop=7';
    await route.fulfill({ json: answer });
  });
  await request.post('/api/users/message/reader', { form: { ids: 'all' }, headers: { token } });
  await openApp(page, '/pages/service/index', { token, language: 'ar' });
  await expect(page).toHaveURL(/pages\/index\/web-view/);
  const link = page.getByRole('link', { name: /help\.example/ });
  await expect(link).toHaveAttribute('href', `https://help.example/chat?shop=7&lan=ar&name=${username}${data.id}`);
  await expect(link).toHaveAttribute('rel', /noopener/);
});

test('an answer by staff appears at once', async ({ page, request }) => {
  const { token, username } = await newCustomer(request);
  await openApp(page, '/pages/service/index', { token, language: 'th' });
  await request.post('/api/users/message/reader', { form: { ids: 'all' }, headers: { token } });
  await page.reload();
  await page.locator('textarea').fill('ถอนเงินล่าช้า');
  await page.locator('.service-send').click();
  await expect(page.locator('.service-row')).toHaveCount(1);
  // A code is valid once, and a test of the console may have used this one.
  let mai = { password: '', code: '', seconds_left: 60 };
  await expect
    .poll(
      async () => {
        const people = await (await request.get('/demo/operators')).json();
        mai = people.data.find((one: { work_name: string }) => one.work_name === 'mai');
        return mai.seconds_left;
      },
      { timeout: 70_000 },
    )
    .toBeLessThan(59);
  const form = { username: 'mai', password: mai.password, code: mai.code };
  const desk = (await (await request.post('/api/admin/login', { form })).json()).data.token;
  const threads = await (await request.get('/api/admin/support/threads', { headers: { token: desk } })).json();
  const { id } = threads.data.items.find(
    (one: { customer: { username: string } | null }) => one.customer?.username === username,
  );
  const headers = { token: desk, 'idempotency-key': randomUUID() };
  await request.post('/api/admin/support/send', { form: { id, ready: 'never-pay' }, headers });
  await expect(page.locator('.service-row[data-of="staff"]')).toContainText('Sathorn ไม่เรียกเก็บเงินก่อนการถอน');
});

test('a visitor without an account writes, and gets the answer by mail', async ({ page, request }) => {
  const contact = `${randomUUID().slice(0, 8)}@example.org`;
  await openApp(page, '/pages/service/index', { language: 'en' });
  await page.getByRole('button', { name: 'Send the message' }).click();
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(2);
  await page.getByLabel('Your email or phone number').fill('nobody');
  await page.getByLabel('What happened?').fill('I have lost my phone.');
  await page.getByRole('button', { name: 'Send the message' }).click();
  await expect(page.getByText('Please enter a valid phone number or email.')).toBeVisible();
  await page.getByLabel('Your email or phone number').fill(contact);
  await expectAccessible(page, '/pages/service/index');
  await page.getByRole('button', { name: 'Send the message' }).click();
  await expect(page.getByText(/^V-[2-9A-Z]{8}$/)).toBeVisible();
  await expectAccessible(page, 'service sent');
  const outbox = await request.get(`/demo/outbox?to=${contact}`, { headers: { accept: 'application/json' } });
  expect(await outbox.json()).toEqual([]);
});

for (const language of ['th', 'ar'])
  test(`a customer who has lost the second factor reads how the reset works, in ${language}`, async ({ page }) => {
    await openApp(page, '/pages/login/resetFactor', { language });
    await expect(page.locator('.timeline li')).toHaveCount(4);
    await expectAccessible(page, 'resetFactor');
    await page.locator('.form-foot button').click();
    await expect(page).toHaveURL(/stopReset/);
    await expectAccessible(page, 'stopReset');
  });
