import { expect, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

test('without WebSockets, polled prices sell an option, start it and count it down', async ({ page, request }) => {
  await page.routeWebSocket('**/api/stream', (socket) => socket.close());
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await openApp(page, '/pages/Option/Option?code=BTC', { token });
  await readNotices(page);
  await page.getByText('30 วิ').click();
  await page.getByLabel('เงินลงทุน').fill('100');
  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อขึ้น 100/ })
    .click();
  await expect(page.getByText('ขึ้น BTC 100 USDT')).toBeVisible();
  await expect(page.getByText(/^เริ่ม/)).toBeVisible();
  await expect(page.getByText('ใช้ได้ 900.00')).toBeVisible();
});
