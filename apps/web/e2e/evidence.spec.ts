import { expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

test('a chain that differs from the one that this device saw is reported at the next visit, and stored', async ({
  page,
}) => {
  // Plants the memory of an earlier visit that had received another tick.
  const seen = { BTC: { head: ['1', '0'.repeat(64)], ticks: [] } };
  await page.addInitScript((text) => localStorage.setItem('evidence:seen-chains', text), JSON.stringify(seen));
  await openApp(page, '/pages/index/index');
  const sheet = page.getByRole('dialog', { name: bound('ประวัติราคาไม่ตรงกับที่อุปกรณ์นี้เคยเห็น') });
  await expect(sheet.getByText(bound(/^BTC: จุดราคาหมายเลข 1 ถูกเขียนใหม่/))).toBeVisible();
  await sheet.getByRole('button', { name: 'ดูรายละเอียด' }).click();
  await expect(page).toHaveURL(/pages\/verify\/index/);
  await expect(page.getByText(bound(/^BTC: จุดราคาหมายเลข 1 ถูกเขียนใหม่/))).toBeVisible();
  await expect(page.getByRole('button', { name: 'ดาวน์โหลดหลักฐาน' })).toBeVisible();
});

test('signed terms that differ from the order are reported as soon as they arrive', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await openApp(page, '/pages/Option/Option_old?code=BTC', { token });
  await readNotices(page);
  await page.route('**/api/coin/order/add', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const { terms } = answer.data;
    terms.body = terms.body.replace('"dir":"up"', '"dir":"down"');
    await route.fulfill({ response, json: answer });
  });
  await page.getByLabel('เงินลงทุน').fill('100');
  await page.getByRole('button', { name: 'ซื้อขึ้น', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อขึ้น 100/ })
    .click();
  const sheet = page.getByRole('dialog', { name: 'กรุณาตรวจสอบคำสั่งนี้' });
  await expect(sheet.getByText(bound('เงื่อนไขที่ลงลายเซ็นไม่ตรงกับที่คุณสั่ง สิ่งที่ต่างไป: ทิศทาง'))).toBeVisible();
  await expect(sheet.getByText(bound(/^ลายเซ็นของเงื่อนไขใช้ไม่ได้/))).toBeVisible();
});
