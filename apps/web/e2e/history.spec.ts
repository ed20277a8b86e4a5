import { expect, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

interface Order {
  id: string;
  status: string;
  start_price: string;
  end_price: string;
  profit: string;
  fee: string;
  sell_price: string;
}

const units = (text: string): bigint => BigInt(text.replace('.', ''));

test('S4.11 an option bought down at 30 s has start and end price, profit and fee in the history, exact to the unit', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await openApp(page, '/pages/Option/Option?code=ETH', { token });
  await readNotices(page);
  await page.getByText('30 วิ').click();
  await page.getByLabel('เงินลงทุน').fill('33.333333');
  await page.getByRole('button', { name: 'ซื้อลง' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: /^ซื้อลง 33/ }).click();
  await expect(sheet.getByText(/^(\d+) จาก \1$/)).toBeVisible();

  const listed = await request.post('/api/coin/order/lists', { headers: { token }, form: { status: 'history' } });
  const [order] = ((await listed.json()) as { data: { items: Order[] } }).data.items;
  if (!order) throw new Error('no history');
  // Computed by the published rules, independently of our engine: a payout of 75 % rounded down to a unit, a fee of 2 %
  // rounded up to a unit.
  const stake = 33_333_333n;
  const profit = (stake * 75n) / 100n;
  const fee = (profit * 2n + 99n) / 100n;
  const [start, end] = [units(order.start_price), units(order.end_price)];
  const [status, made, charged, credited] =
    end < start
      ? ['won', profit, fee, stake + profit - fee]
      : end > start
        ? ['lost', -stake, 0n, 0n]
        : ['tie', 0n, 0n, stake];
  expect([order.status, units(order.profit), units(order.fee), units(order.sell_price)]).toEqual([
    status,
    made,
    charged,
    credited,
  ]);

  await page.goto(`/#/pages/Option/orderRecord/receipt?id=${order.id}`);
  const shown = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
  await expect(page.getByText(shown(order.start_price)).first()).toBeVisible();
  await expect(page.getByText(shown(order.end_price)).first()).toBeVisible();
});
