import { type APIRequestContext, expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { indexTimes } from './index-times.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp, readNotices } from './new-customer.ts';

const MARKET = '/pages/contracts/contracts';
const LIST = '/pages/contracts/orderList';

async function sellerOfSol(request: APIRequestContext): Promise<string> {
  const { token } = await newCustomer(request);
  for (const [asset, amount] of [
    ['SOL', '10'],
    ['USDT', '1000'],
  ] as const)
    await request.post('/demo/fund', { headers: { token }, form: { asset, amount } });
  return token;
}

async function post<Data>(
  request: APIRequestContext,
  path: string,
  token: string,
  form: Record<string, string>,
): Promise<Data> {
  const answer = await request.post(`/api${path}`, { headers: { token }, form });
  const { ret, msg, data } = await answer.json();
  expect(ret, msg).toBe(1);
  return data;
}

test('a stop is placed from the ticket, changed, and cancelled', async ({ page, request }) => {
  const token = await sellerOfSol(request);
  await openApp(page, `${MARKET}?code=SOL`, { token });
  await readNotices(page);
  await page.getByRole('button', { name: bound('สต็อป ทำกำไร OCO') }).click();
  const sheet = page.getByRole('dialog');
  const low = await indexTimes(request, 'SOL', 800n);
  await sheet.locator('input[name=trigger]').fill(await indexTimes(request, 'SOL', 1500n));
  await sheet.locator('input[name=quantity]').fill('2');
  await expect(sheet.getByText(bound('ราคาอ้างอิงถึงราคานี้แล้ว'))).toBeVisible();
  await sheet.locator('input[name=trigger]').fill(low);
  await expectAccessible(page, 'the sheet of waiting orders');
  await sheet.getByRole('button', { name: bound('ส่งคำสั่ง') }).click();
  await expect(page.getByText(bound('คำสั่งรอราคาอ้างอิงแล้ว'))).toBeVisible();
  const row = page.locator('.order-row');
  await expect(row).toContainText(bound('สต็อป'));
  await expect(row).toContainText(bound('รออยู่'));

  await row.locator('.order-row-what').click();
  await expect(page.getByText(bound('กันไว้')).first()).toBeVisible();
  await expectAccessible(page, 'a waiting order');
  await page.getByRole('button', { name: bound(/^เปลี่ยน$/) }).click();
  await sheet.locator('input[name=quantity]').fill('1');
  await sheet.getByRole('button', { name: bound('บันทึก') }).click();
  await expect(page.getByText(bound('เปลี่ยนคำสั่งแล้ว'))).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: bound(/^ยกเลิก$/) }).click();
  await expect(page.getByText(bound('ยกเลิกสำเร็จ!'))).toBeVisible();
  await expect(page.getByText(bound('ถูกยกเลิกก่อนทำงาน'))).toBeVisible();
});

test('what the index triggered is in the history, and the browser verifies its tick', async ({ page, request }) => {
  const token = await sellerOfSol(request);
  // Whichever way the index goes, one of them is triggered.
  const stop = { code: 'SOL', trigger: 'stop', type: 'market', quantity: '1' } as const;
  for (const [side, share] of [
    ['sell', 9999n],
    ['buy', 10_001n],
  ] as const) {
    const answer = await request.get('/api/coin/data/rate', { params: { code: 'SOL' } });
    const cents = BigInt(Math.round(Number((await answer.json()).data.price) * 100));
    const at = (cents * share) / 10_000n + (side === 'buy' ? 1n : 0n);
    const price = `${at / 100n}.${String(at % 100n).padStart(2, '0')}`;
    await request.post('/api/coin/wait/add', { headers: { token }, form: { ...stop, side, trigger_price: price } });
  }
  const list = async (status: 'open' | 'history') => {
    type Page = { items: { id: string; status: string }[] };
    return (await post<Page>(request, '/coin/wait/lists', token, { status })).items;
  };
  let id = '';
  await expect
    .poll(
      async () => {
        const items = await list('history');
        id = items[0]?.id ?? '';
        return items.map(({ status }) => status)[0];
      },
      { timeout: 120_000 },
    )
    .toMatch(/triggered|refused/);
  // The other one would send a notice that covers the page.
  for (const { id } of await list('open'))
    await request.post('/api/coin/wait/close', { headers: { token }, form: { id } });
  await markNoticesRead(request, token);
  await openApp(page, `${LIST}?status=history`, { token });
  await expect(page.getByText(bound('คำสั่งแบบมีเงื่อนไขที่ผ่านมา'))).toBeVisible();
  await lookAt(page, `/pages/contracts/waitingDetails?id=${id}`);
  await expect(page.getByText(bound('ราคาที่ทำให้คำสั่งทำงาน'))).toBeVisible();
  await page.getByRole('button', { name: bound('ตรวจสอบในเบราว์เซอร์นี้') }).click();
  await expect(page.locator('.trigger-correct')).toContainText(bound('เป็นราคาแรกตั้งแต่รับคำสั่ง'));
  await expectAccessible(page, 'a triggered order');
});

test('a pair and an order that is changed at its place, in Arabic', async ({ page, request }) => {
  const token = await sellerOfSol(request);
  const [high, low] = [await indexTimes(request, 'SOL', 1200n), await indexTimes(request, 'SOL', 800n)];
  const pair = { code: 'SOL', side: 'sell', quantity: '2', price: high, trigger_price: low };
  const { waiting } = await post<{ waiting: { id: string } }>(request, '/coin/wait/pair', token, pair);
  const limit = { code: 'SOL', side: 'sell', type: 'limit', price: high, quantity: '3' };
  const { id } = await post<{ id: string }>(request, '/coin/trans/add', token, limit);
  await markNoticesRead(request, token);
  await openApp(page, `${LIST}?status=open`, { token, language: 'ar' });
  await expect(page.locator('.order-row')).toHaveCount(3);
  await lookAt(page, `/pages/contracts/waitingDetails?id=${waiting.id}`);
  await expectAccessible(page, 'a pair in Arabic');
  await lookAt(page, `/pages/contracts/orderDetails?id=${id}`);
  await page.getByRole('button', { name: 'تعديل السعر أو الكمية' }).click();
  await page.getByRole('dialog').locator('input[name=quantity]').fill('2');
  await page.getByRole('dialog').getByRole('button', { name: 'حفظ' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('كمية مسحوبة')).toBeVisible();
});
