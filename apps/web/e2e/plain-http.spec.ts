import { expect, test } from '@playwright/test';
import { codeSentTo, freshNames, readNotices } from './new-customer.ts';

/** As the README says for a phone: an address without https, for which browsers keep back much of what they can do. */
const APP = `http://phone.test:${process.env.E2E_PORT}`;

test('over plain http a visitor signs up, buys, copies, and is told how to paste', async ({ page, request }) => {
  const thrown: string[] = [];
  page.on('pageerror', ({ message }) => thrown.push(message));
  const { username, phone } = freshNames();
  await page.goto(`${APP}/#/pages/login/regist?code=WELCOME`);
  expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto, 'clipboard' in navigator])).toEqual([
    false,
    false,
    false,
  ]);
  await page.getByLabel('หมายเลขโทรศัพท์').fill(`0${phone.slice(3)}`);
  await page.getByRole('button', { name: 'ส่งรหัส' }).click();
  await expect(page.getByRole('button', { name: /ส่งใหม่ใน/ })).toBeDisabled();
  await page.getByLabel('รหัสยืนยัน', { exact: true }).fill(await codeSentTo(request, phone));
  await page.getByLabel('ชื่อผู้ใช้').fill(username);
  await page.getByLabel('รหัสผ่านเข้าสู่ระบบ').fill('Rain7drop');
  await page.getByLabel('รหัสชำระเงิน').click();
  const pad = page.getByRole('dialog');
  for (const round of [1, 2]) {
    await expect(pad.getByText(`ขั้นที่ ${round} จาก 2`)).toBeVisible();
    await page.keyboard.type('493027');
  }
  await expect(pad).toHaveCount(0);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'สร้างบัญชี' }).click();
  await readNotices(page);

  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await page.goto(`${APP}/#/pages/Option/Option?code=BTC`);
  await page.getByLabel('เงินลงทุน').fill('100');
  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อขึ้น 100/ })
    .click();
  await expect(page.getByText('ขึ้น BTC 100 USDT')).toBeVisible();

  await page.goto(`${APP}/#/pages/index/share`);
  await page.getByRole('button', { name: 'คัดลอก' }).first().click();
  await expect(page.getByText('คัดลอกแล้ว').first()).toBeVisible();

  await page.goto(`${APP}/#/pages/mine/addWallet`);
  await page.getByRole('button', { name: 'วาง' }).click();
  await expect(page.getByText('แตะค้างที่ช่องที่อยู่แล้วเลือก “วาง”')).toBeVisible();
  await expect(page.getByLabel('ที่อยู่', { exact: true })).toBeFocused();
  expect(thrown).toEqual([]);
});
