import { expect, test } from '@playwright/test';
import { freshNames, readNotices, signUp } from './new-customer.ts';

/** An address without https, as the README suggests for a phone. Browsers disable many features there. */
const APP = `http://phone.test:${process.env.E2E_PORT}`;

test('over plain http a visitor signs up, buys and copies, and is told how to paste', async ({ page, request }) => {
  const thrown: string[] = [];
  page.on('pageerror', ({ message }) => thrown.push(message));
  const { username, phone } = freshNames();
  await page.goto(`${APP}/#/pages/login/regist?code=WELCOME`);
  expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto, 'clipboard' in navigator])).toEqual([
    false,
    false,
    false,
  ]);
  await signUp(page, request, { username, phone, password: 'Rain7drop', paypass: '493027' });
  await page.getByRole('button', { name: 'ไปต่อ' }).click();
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
