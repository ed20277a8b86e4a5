import { expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp } from './new-customer.ts';

const PORTFOLIO = '/pages/mine/portfolio';

test('a customer sees what a coin cost on average, and what selling a part of it brought', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await request.post(path, { headers: { token }, form });
    const { ret, msg, data } = await answer.json();
    expect(ret, msg).toBe(1);
    return data as { dealt_quantity: string; dealt_amount: string; fee: string };
  };
  await post('/demo/fund', { asset: 'USDT', amount: '1000' });
  await markNoticesRead(request, token);
  await openApp(page, PORTFOLIO, { token });
  await expect(page.getByText(bound('คุณยังไม่ได้ซื้อขายเหรียญ'))).toBeVisible();

  const bought = await post('/api/coin/trans/add', { code: 'ETH', side: 'buy', type: 'market', amount: '300' });
  const average = Number(bought.dealt_amount) / (Number(bought.dealt_quantity) - Number(bought.fee));
  const sold = await post('/api/coin/trans/add', { code: 'ETH', side: 'sell', type: 'market', quantity: '0.01' });
  const realised = Number(sold.dealt_amount) - Number(sold.fee) - average * 0.01;

  await page.goto('/#/pages/mine/mine');
  await page.getByRole('button', { name: bound('ต้นทุนและกำไร') }).click();
  const card = page.locator('.ui-card', { hasText: 'ETH' });
  const fact = async (name: string): Promise<number> => {
    const text = await card
      .locator('.ui-facts > div', { hasText: bound(name) })
      .locator('.ui-money')
      .textContent();
    return Number(
      (text ?? '')
        .replaceAll(',', '')
        .replace('−', '-')
        .replace(/[^0-9.-]/g, ''),
    );
  };
  await expect(card.getByText(bound('ต้นทุนเฉลี่ย'))).toBeVisible();
  // Shown to a hundredth, as ETH's prices are.
  expect(Math.abs((await fact('ต้นทุนเฉลี่ย')) - average)).toBeLessThan(0.011);
  expect(Math.abs((await fact('กำไรที่ขายแล้ว')) - realised)).toBeLessThan(0.011);
  await expect(page.getByText(bound('จากรายการจับคู่ของคุณ'))).toBeVisible();
  await lookAt(page, PORTFOLIO);
  await expectAccessible(page, PORTFOLIO);
});
