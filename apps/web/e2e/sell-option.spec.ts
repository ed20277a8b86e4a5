import { expect, type Page, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

/** Buys five minutes up on another device, and opens the option's page with its sheet. */
async function openBet(page: Page, request: Parameters<typeof newCustomer>[0], language = 'th') {
  const { token } = await newCustomer(request);
  const headers = { token };
  await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '500' } });
  const bought = await request.post('/api/coin/order/add', {
    headers,
    form: { code: 'BTC', direction: 'up', quantity: '100', duration: '300' },
  });
  const { ret, msg, data } = await bought.json();
  expect(ret, msg).toBe(1);
  expect(data.sale).toMatchObject({ spread: '0.02', closed_seconds: 5, sold_at: null });
  await openApp(page, '/pages/Option/Option?code=BTC', { token, language });
  await readNotices(page);
  await page.locator('.holding-card button').first().click();
  return { headers, id: String(data.id) };
}

const unitsOf = (text: string) => BigInt(text.replace(/[^0-9.]/g, '').replace('.', ''));

test('an open option is sold at the price on the button, and its receipt verifies on the phone', async ({
  page,
  request,
}) => {
  const { headers, id } = await openBet(page, request);
  const card = page.locator('.sell-option');
  const button = card.getByRole('button', { name: /^ขายคืน รับ/ });
  await expect(button).toBeVisible();
  await expect(card).toContainText('ส่วนต่างของผู้ให้บริการ');
  await expect(card).toContainText('กำไรหรือขาดทุนเทียบกับเงินลงทุน');

  // The price may move by more than the spread: then nothing is sold, the new price is said, and another tap sells.
  const result = page.getByRole('dialog', { name: 'ผลออปชัน' });
  let asked = '';
  page.on('request', (sent) => {
    if (sent.url().endsWith('/coin/order/sell')) asked = new URLSearchParams(sent.postData() ?? '').get('price') ?? '';
  });
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(result).toBeVisible({ timeout: 4_000 });
  }).toPass({ timeout: 60_000 });

  await expect(result).toContainText('ขายคืนแล้ว');
  await expect(result).toContainText('12 จาก 12');
  const { data: order } = await (await request.get('/api/coin/order/info', { headers, params: { id } })).json();
  expect(order.status).toBe('sold');
  expect(order.sell_price).toBe(asked);
  expect(unitsOf(order.sell_price) - unitsOf(order.quantity)).toBe(BigInt(order.profit.replace('.', '')));
  const { data: balance } = await (
    await request.post('/api/coin/user/amount', { headers, form: { code: 'BTC' } })
  ).json();
  expect(unitsOf(balance.usdt_available)).toBe(400_000_000n + unitsOf(order.sell_price));
  expect(unitsOf(balance.usdt_held)).toBe(0n);
  await expect(page.locator('.holding-card')).toHaveCount(0);
});

test('a refused price changes nothing and says the new one', async ({ page, request }) => {
  const { headers, id } = await openBet(page, request);
  const button = page.locator('.sell-option').getByRole('button', { name: /^ขายคืน รับ/ });
  await expect(button).toBeVisible();
  // Somebody between the app and the server asks for one unit more than the price that was shown.
  await page.route('**/coin/order/sell', async (route) => {
    const form = new URLSearchParams(route.request().postData() ?? '');
    form.set('price', '199.000000');
    await route.continue({ postData: form.toString(), headers: withoutSignature(route.request().headers()) });
  });
  await button.click();
  await expect(page.locator('.sell-option-refused')).toContainText(/ราคาเปลี่ยนแล้ว ตอนนี้คือ [0-9]+\.[0-9]{6} USDT/);
  const { data: order } = await (await request.get('/api/coin/order/info', { headers, params: { id } })).json();
  expect(order.status).toBe('holding');
});

const withoutSignature = ({ ordered: _, ...headers }: Record<string, string>) => headers;

test('without a connection nothing can be sold, and in Arabic the card reads from the right', async ({
  page,
  request,
}) => {
  await openBet(page, request, 'ar');
  const card = page.locator('.sell-option');
  await expect(card.getByRole('button')).toBeEnabled();
  await expect(card).toContainText('البيع قبل النهاية');
  expect(await card.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  // Prices that stop are no prices to sell at.
  await page.context().setOffline(true);
  await expect(card.getByRole('button')).toBeDisabled({ timeout: 15_000 });
  await page.context().setOffline(false);
});
