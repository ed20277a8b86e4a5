import { expect, test } from '@playwright/test';
import { codeSentTo, freshNames, newCustomer, openApp, readNotices } from './new-customer.ts';

test('the wait for another code applies only to the number that got the last one', async ({ page }) => {
  const [wrong, right] = [freshNames().phone, freshNames().phone];
  await openApp(page, '/pages/login/regist');
  const send = page.getByRole('button', { name: 'ส่งรหัส' });
  await page.getByLabel('หมายเลขโทรศัพท์').fill(wrong);
  await send.click();
  await expect(page.getByRole('button', { name: /^ส่งใหม่ใน/ })).toBeDisabled();

  await page.getByLabel('หมายเลขโทรศัพท์').fill(right);
  await expect(send).toBeEnabled();
  await page.getByLabel('หมายเลขโทรศัพท์').fill(wrong);
  await expect(page.getByRole('button', { name: /^ส่งใหม่ใน/ })).toBeDisabled();
});

test('a new payment password that is too common must be chosen again, without typing the current one', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  await openApp(page, '/pages/mine/setting/tradePwd', { token: customer.token });
  await readNotices(page);
  const enter = async (step: string, pin: string) => {
    await expect(page.getByRole('group', { name: step })).toBeFocused();
    await page.keyboard.type(pin);
  };
  await enter('กรอกรหัสชำระเงินเดิม', customer.paypass);
  await enter('ตั้งรหัสชำระเงิน', '123456');
  await enter('กรอกรหัสชำระเงินอีกครั้ง', '123456');
  await expect(page.getByText('รหัสชำระเงินนี้เดาได้ง่าย กรุณาใช้ตัวเลขชุดอื่น')).toBeVisible();
  await enter('ตั้งรหัสชำระเงิน', '583920');
  await enter('กรอกรหัสชำระเงินอีกครั้ง', '583920');
  await expect(page.getByText('บันทึกรหัสชำระเงินแล้ว')).toBeVisible();
});

test('a keypad that loaded under a notice gets the focus once the notice is read', async ({ page, request }) => {
  const customer = await newCustomer(request);
  const shown = Promise.withResolvers<void>();
  await page.route('**/assets/change-payment-password-*.js', async (route) => {
    await shown.promise;
    await route.continue();
  });
  await openApp(page, '/pages/mine/setting/tradePwd', { token: customer.token });
  await expect(page.getByRole('alertdialog')).toBeVisible();
  shown.resolve();
  const keypad = page.locator('main .ui-pin');
  await expect(keypad).toBeAttached();
  await readNotices(page);
  await expect(keypad).toBeFocused();
});

test('a failed read is reported and retried at the place of its result', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await page.route(/\/api\/(users\/info|coin\/order\/lists|other\/config)/, (route) =>
    route.fulfill({ status: 500, body: '' }),
  );
  await openApp(page, '/pages/Option/orderRecord/orderRecord', { token: customer.token, language: 'en' });
  await readNotices(page);
  await expect(page.getByRole('alert')).toContainText('Internal Server Error');
  // Five retries take half a minute, so an error must replace the skeleton earlier.
  await page.goto('/#/pages/mine/mine');
  await expect(page.getByRole('alert')).toContainText('Your account couldn’t be loaded');
  await page.goto('/#/');
  await expect(page.locator('.home-body > .ui-skeleton')).toHaveCount(0);

  await page.unroute(/\/api\/(users\/info|coin\/order\/lists|other\/config)/);
  await page.goto('/#/pages/Option/orderRecord/orderRecord');
  await expect(page.getByText('No open orders')).toBeVisible();
});

test('a press closes a notice, whether the request reaches the server or not', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await page.route(/\/api\/users\/message\/reader/, () => {});
  await openApp(page, '/pages/mine/setting', { token: customer.token });
  await readNotices(page);
  await page.getByRole('button', { name: 'ภาษา' }).click();
  await expect(page.getByRole('dialog', { name: 'ภาษา' })).toBeVisible();
});

test('a choice that takes effect at once can first be explored with the arrow keys', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await openApp(page, '/pages/mine/setting', { token: customer.token });
  await readNotices(page);
  await page.getByRole('button', { name: 'ภาษา' }).press('Enter');
  const choices = page.getByRole('dialog', { name: 'ภาษา' });
  // Pressing a key twice must not choose anything in the sheet that the first press has opened.
  await expect(choices).not.toHaveAttribute('data-settling');
  await choices.getByRole('radio', { name: 'ไทย' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(choices.getByRole('radio', { name: '中文' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('heading', { name: '设置' })).toBeVisible();
});

test('pasting never cuts text off: a code may have spaces, and a long password is refused', async ({
  page,
  request,
}) => {
  const customer = await newCustomer(request);
  await openApp(page, '/pages/login/forgetPwd', { language: 'en' });
  await page.getByLabel('Phone number').fill(customer.phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('Verification code sent')).toBeVisible();
  const code = await codeSentTo(request, customer.phone);
  await page.getByLabel('Verification code').fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
  await page.getByLabel('New password', { exact: true }).fill('Chosen4byAmanager');
  await page.getByLabel('Confirm new password').fill('Chosen4byAmanager');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    'login password must be 6-12 characters or numbers',
  );
  await page.getByLabel('New password', { exact: true }).fill('Chosen4by');
  await page.getByLabel('Confirm new password').fill('Chosen4by');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page).toHaveURL(/login\/login/);
});

test('a page with its own bar has a Back button while its code cannot be loaded', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await page.route('**/assets/contracts-*.js', (route) => route.abort());
  await openApp(page, '/pages/index/index', { token });
  await readNotices(page);
  await page.goto('/#/pages/contracts/contracts?code=BTC');
  await expect(page.getByText(/^โหลดไม่สำเร็จ/)).toBeVisible();
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
  await expect(page).toHaveURL(/#\/pages\/index\/index$/);
});

test('the total is shown in USDT if the display currency has no rate', async ({ page, request }) => {
  const customer = await newCustomer(request);
  await page.route('**/api/third/currency/rate*', (route) => route.fulfill({ json: { ret: 1, msg: '', data: [] } }));
  await openApp(page, '/pages/index/index', { token: customer.token });
  await readNotices(page);
  await expect(page.locator('.home-total')).toHaveText('0.00 USDT');
});
