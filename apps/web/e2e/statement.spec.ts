import { expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp } from './new-customer.ts';

const STATEMENT = '/pages/accountDetails/statement';

test('a month is a statement whose figures add up, and which the browser prints', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  const post = async (path: string, form: Record<string, string>) =>
    expect((await (await request.post(path, { headers: { token }, form })).json()).ret).toBe(1);
  await post('/demo/fund', { asset: 'USDT', amount: '1000' });
  await post('/api/coin/trans/add', { code: 'ETH', side: 'buy', type: 'market', amount: '100' });
  await markNoticesRead(request, token);
  await openApp(page, '/pages/accountDetails/accountDetails', { token });
  await page.getByRole('button', { name: bound('ใบแจ้งยอด') }).click();
  await expect(page.getByText(bound('เครื่องนี้ตรวจแล้ว'))).toBeVisible();
  const usdt = page.locator('.statement-table').first().locator('tr', { hasText: 'USDT' });
  await expect(usdt.locator('td').nth(1)).toHaveText('1,000.00');
  const [opening, received, sent, fees, closing] = (await usdt.locator('td').allTextContents()).map((text) =>
    Math.round(Number(text.replaceAll(',', '')) * 1e6),
  );
  expect((opening ?? 0) + (received ?? 0) - (sent ?? 0) - (fees ?? 0)).toBe(closing);
  await lookAt(page, STATEMENT);
  await expectAccessible(page, STATEMENT);

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: bound('บันทึกเป็น PDF') }).click();
  await expect(page.locator('body[data-printed]')).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.statement-controls')).toBeHidden();
  await expect(page.getByText(bound('หัวลูกโซ่บัญชี'))).toBeVisible();
  expect((await page.pdf({ format: 'A4' })).byteLength).toBeGreaterThan(10_000);
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('button', { name: bound('เดือนก่อนหน้า') }).click();
  await expect(page.getByText(bound('ไม่มีรายการในเดือนนี้'))).toBeVisible();
});
