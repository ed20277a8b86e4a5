import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const fact = (page: Page, name: string) => page.locator('.ui-facts > div', { hasText: name }).locator('dd');

test('liquidity: the confirmed balance is the balance afterwards, in and out', async ({ page, request }) => {
  const { token, paypass } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '5000' } });
  await openApp(page, '/pages/Liquidity/Liquidity', { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'จองซื้อ', exact: true }).click();
  await page.locator('input[name=amount]').fill('3000');
  await page.getByRole('button', { name: /ต่อไปด้วย/ }).click();
  await expect(fact(page, 'ในสภาพคล่องหลังจากนี้')).toHaveText('3,000.00 USDT');
  await expect(fact(page, 'ผลตอบแทนต่อวันหลังจากนี้')).toHaveText('0.334246 USDT');
  await expect(fact(page, 'ยอดที่ใช้ได้หลังจากนี้')).toHaveText('2,000.00 USDT');
  await page.getByRole('button', { name: 'จองซื้อ 3,000.00 USDT' }).click();
  await expect(page.locator('.earning-hero-total')).toHaveText('3,000.00 USDT');

  await page.getByRole('button', { name: 'ไถ่ถอน', exact: true }).click();
  await page.locator('input[name=amount]').fill('1000');
  await page.getByRole('button', { name: /ต่อไปแบบเร็ว/ }).click();
  await expect(fact(page, 'คงอยู่ในสภาพคล่อง')).toHaveText('2,000.00 USDT');
  await page.getByRole('button', { name: 'ไถ่ถอน 1,000.00 USDT ทันที' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type('000001');
  await expect(sheet.getByRole('status')).toContainText(/4/);
  await page.keyboard.type(paypass);
  await expect(page.locator('.earning-hero-total')).toHaveText('2,000.00 USDT');
  await page.getByRole('button', { name: 'รายการ' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('3,000.00');
  await page.getByRole('tab', { name: 'ไถ่ถอน' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('ไถ่ถอนแบบเร็ว');
});

test('a lock-up shows every payment before the confirmation, and its order afterwards, in Arabic too', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '5000' } });
  await openApp(page, '/pages/Lock-up/Lock-up', { token, language: 'ar', theme: 'dark' });
  await readNotices(page);
  await page.getByRole('button', { name: /0\.015%/ }).click();
  await expect(page.locator('.earning-foot-note')).toBeVisible();
  // While the terms are loading, the page does not require the amount again.
  const asked = Promise.withResolvers<void>();
  await page.route('**/api/**', async (route) => {
    if (route.request().url().includes('amount=1000')) await asked.promise;
    await route.continue();
  });
  await page.locator('input[name=amount]').fill('1000');
  await expect(page.locator('.earning-earn')).toContainText('+4.50 USDT');
  await expect(page.locator('.earning-foot-note')).toHaveCount(0);
  asked.resolve();
  await page.getByRole('button', { name: /تجميد .*1,000\.00/ }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet).toContainText('4.50 USDT');
  await sheet.getByRole('button', { name: /تجميد/ }).click();
  await expect(page.locator('.ui-facts')).toContainText('4.50 USDT');
  await expect(page).toHaveURL(/record\?id=/);
});

for (const [language, theme] of [['ar', 'dark']] as const) {
  test(`the pages of earning are accessible and fit the phone in ${language}, ${theme}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '5000' } });
    await request.post('/api/yuebao/transfer/in', { headers: { token }, form: { amount: '500' } });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, '/pages/Liquidity/Liquidity', { token, language, theme });
    await readNotices(page);
    for (const path of [
      '/pages/Liquidity/Liquidity',
      '/pages/Liquidity/buy',
      '/pages/Liquidity/buyConfirm?amount=100',
      '/pages/Liquidity/sell',
      '/pages/Liquidity/sellConfirm?amount=100&speed=normal',
      '/pages/Liquidity/record',
      '/pages/Lock-up/Lock-up',
      '/pages/Lock-up/productDetails/productDetails?id=30',
      '/pages/Lock-up/record/record',
      '/pages/consent/index?product=options',
      '/pages/consent/index?product=earning',
    ]) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
  });
}

test('the customer reads the risks and answers the questions once, and the page shows the result', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/consent/index?product=options', { token });
  await readNotices(page);
  const send = page.getByRole('button', { name: 'ส่งคำตอบ' });
  await expect(send).toBeDisabled();
  for (const answer of ['ไม่เกินค่าธรรมเนียม', 'ไม่มี', 'ไม่', 'ไม่เกินหนึ่งในสิบ'])
    await page.getByRole('radio', { name: answer, exact: true }).check();
  await page.getByRole('checkbox').check();
  await send.click();
  await expect(page.getByText(/อาจไม่เหมาะกับคุณ/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/อาจไม่เหมาะกับคุณ/)).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(0);
});
