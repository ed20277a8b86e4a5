import { expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp, readNotices } from './new-customer.ts';

const MARKET = '/pages/contracts/contracts';
const LIST = '/pages/contracts/recurring';

test('a customer buys a coin regularly, pauses it, resumes it and ends it', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await openApp(page, `${MARKET}?code=SOL`, { token });
  await readNotices(page);
  await page.getByRole('button', { name: bound(/^ซื้อประจำ$/) }).click();
  const sheet = page.getByRole('dialog');
  const start = sheet.getByRole('button', { name: bound('เริ่มซื้อประจำ') });
  await sheet.locator('input[name=amount]').fill('0.5');
  await expect(start).toBeDisabled();
  await sheet.locator('input[name=amount]').fill('25');
  await sheet.getByRole('button', { name: bound('ทุกสัปดาห์') }).click();
  await sheet.getByLabel(bound('วันในสัปดาห์')).selectOption('5');
  await sheet.getByLabel(bound('เวลา')).selectOption('20');
  await sheet.locator('input[name=times]').fill('12');
  await expectAccessible(page, 'the sheet of regular purchases');
  await start.click();

  await expect(page.getByText(bound('เริ่มซื้อประจำแล้ว'))).toBeVisible();
  await expect(page.getByText(bound('ทุกวันศุกร์ เวลา 20:00'))).toBeVisible();
  await expect(page.getByText(bound('0 จาก 12'))).toBeVisible();
  await expect(page.getByText(bound('ยังไม่มีรายการ ครั้งแรกจะแสดงที่นี่'))).toBeVisible();
  await page.getByRole('button', { name: bound('หยุดชั่วคราว') }).click();
  await page.getByRole('button', { name: bound('ซื้อต่อ') }).click();
  await expect(page.getByText(bound('ทำงานอยู่'))).toBeVisible();
  await page.getByRole('button', { name: bound('ยกเลิกการซื้อประจำ') }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: bound('ยกเลิกการซื้อประจำ') })
    .click();
  await expect(page.getByText(bound('ยกเลิกแล้ว')).first()).toBeVisible();
  await expect(page.getByRole('button', { name: bound('หยุดชั่วคราว') })).toHaveCount(0);

  await page.goto('/#/pages/contracts/orderList');
  await page.getByRole('button', { name: bound(/^ซื้อประจำ$/) }).click();
  await expect(page.getByText(bound('ทุกวันศุกร์ เวลา 20:00'))).toBeVisible();
  await expectAccessible(page, 'the list of regular purchases');
});

for (const [language, theme, daily, monthly] of [
  ['th', 'light', bound('ทุกวัน เวลา 23:00'), bound('ทุกวันที่ 28 เวลา 09:00')],
  ['ar', 'dark', /كل يوم في/, /من كل شهر في/],
] as const)
  test(`regular purchases fit a phone: ${language}, ${theme}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    const ids: string[] = [];
    for (const form of [
      { code: 'BTC', amount: '100', every: 'month', day: '28', hour: '9', price_max: '90000' },
      { code: 'ETH', amount: '20', every: 'day', hour: '23' },
    ]) {
      const answer = await request.post('/api/coin/recur/add', { headers: { token }, form });
      const { ret, msg, data } = await answer.json();
      expect(ret, msg).toBe(1);
      ids.push(data.id);
    }
    await markNoticesRead(request, token);
    await openApp(page, LIST, { token, language, theme });
    await expect(page.getByText(daily)).toBeVisible();
    await lookAt(page, `/pages/contracts/recurring?id=${ids[0]}`);
    await expect(page.getByText(monthly)).toBeVisible();
    await expectAccessible(page, 'a regular purchase');
    await lookAt(page, LIST);
    await expect(page.getByText(daily)).toBeVisible();
  });
