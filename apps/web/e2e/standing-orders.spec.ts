import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp, readNotices, reopen } from './new-customer.ts';

const RECORD = '/pages/Lock-up/record/record';
const STANDING = '/pages/Lock-up/standing';

/** A lock-up of seven days. */
async function lock(request: APIRequestContext, token: string): Promise<string> {
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '2000' } });
  const form = { type: 'regular', product: '7', amount: '500' };
  const answer = await request.post('/api/yuebao/transfer/in', { headers: { token }, form });
  const { ret, msg, data } = await answer.json();
  expect(ret, msg).toBe(1);
  return data.id;
}

/** Shows a lock-up as it is after a renewal, which takes seven days. */
async function showRenewed(page: Page, standing: string): Promise<void> {
  await page.route('**/api/yuebao/order*', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const item of body.data.items)
      item.standing = { id: standing, kind: 'renewal', source: '00000000-0000-4000-8000-000000000000' };
    await route.fulfill({ response: answer, json: body });
  });
}

test('a customer renews a lock-up at its end, at a lowest rate, and stops it with the same switch', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  const id = await lock(request, token);
  await openApp(page, `${RECORD}?id=${id}`, { token });
  await readNotices(page);
  const renew = page.getByRole('switch', { name: bound(/^ต่ออายุเมื่อครบกำหนด/) });
  await expect(renew).not.toBeChecked();
  await renew.click();
  const sheet = page.getByRole('dialog');
  const rate = sheet.locator('input[name=rate_min]');
  await expect(rate).toHaveValue('0.01');
  await expectAccessible(page, 'the sheet of a renewal');
  const start = sheet.getByRole('button', { name: bound('เปิดการต่ออายุ') });
  await rate.fill('2');
  await expect(start).toBeDisabled();
  await rate.fill('0.008');
  await start.click();
  await expect(renew).toBeChecked();
  await expect(page.getByText(bound(/ไม่ต่ำกว่า 0\.008% ต่อวัน/))).toBeVisible();
  await reopen(page, `${RECORD}?id=${id}`);
  await expect(renew).toBeChecked();

  await renew.click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: bound('หยุด') })
    .click();
  await expect(renew).not.toBeChecked();
});

test('a deposit is subscribed as soon as it is credited, until the customer stops it', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/Lock-up/Lock-up', { token });
  await readNotices(page);
  await page.getByRole('button', { name: bound(/^จากเงินฝาก/) }).click();
  await expect(page).toHaveURL(/Lock-up\/standing/);
  const start = page.getByRole('button', { name: bound(/^เริ่ม$/) });
  await expect(start).toBeDisabled();
  await page.getByLabel(bound('นำไปที่')).selectOption('7');
  await expect(page.locator('input[name=rate_min]')).toHaveValue('0.01');
  await page.locator('input[name=amount_min]').fill('100');
  await page.locator('input[name=amount_max]').fill('50');
  await start.click();
  await expect(page.getByText(bound('ยอดสูงสุดต่อครั้งต้องไม่น้อยกว่ายอดฝากขั้นต่ำ'))).toBeVisible();
  await page.locator('input[name=amount_max]').fill('150');
  await expectAccessible(page, 'the form for deposits');
  await start.click();
  await expect(page.getByText(bound('เปิดอยู่'))).toBeVisible();
  await expect(page.getByText(bound(/^ยังไม่มีรายการ/))).toBeVisible();

  const sent = await request.post('/api/pay/demo', { headers: { token }, form: { channel: 'testnet', amount: '200' } });
  expect((await sent.json()).ret).toBe(1);
  const locked = async () => {
    const answer = await request.get('/api/yuebao/balance', { headers: { token }, params: { type: 'regular' } });
    return (await answer.json()).data.invested;
  };
  await expect.poll(locked, { timeout: 120_000 }).toBe('150.000000');
  // Both notices are sent after the money has moved: of the credit, and of the subscription.
  const unread = async () =>
    (await (await request.get('/api/users/message/unread', { headers: { token } })).json()).data.unread;
  await expect.poll(unread).toBe(2);
  await markNoticesRead(request, token);
  await reopen(page, STANDING);
  const run = page.getByRole('button', { name: /200\.00 USDT/ });
  await expect(run).toContainText(bound('จองซื้อแล้ว'));
  await page.getByRole('button', { name: bound(/^หยุด$/) }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: bound(/^หยุด$/) })
    .click();
  await expect(page.getByRole('button', { name: bound(/^เริ่ม$/) })).toBeVisible();
});

for (const [language, theme, from, into] of [
  ['th', 'light', bound('ต่ออายุจากล็อกอัปก่อนหน้า'), bound('ล็อกอัป 30 วัน')],
  ['ar', 'dark', 'مجدَّد من تجميد سابق', 'تجميد لمدة 30 يومًا'],
] as const)
  test(`standing orders of earning fit a phone: ${language}, ${theme}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    const id = await lock(request, token);
    const post = async (path: string, form: Record<string, string>) => {
      const answer = await request.post(`/api/yuebao/standing/${path}`, { headers: { token }, form });
      const { ret, msg, data } = await answer.json();
      expect(ret, msg).toBe(1);
      return data.id as string;
    };
    const standing = await post('renew', { id, rate_min: '0.0001' });
    await markNoticesRead(request, token);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, STANDING, { token, language, theme });
    await lookAt(page, STANDING);
    await expectAccessible(page, 'the form for deposits');
    const bounds = { amount_min: '100', amount_max: '5000', rate_min: '0.0001' };
    await post('deposits', { type: 'regular', product: '30', ...bounds });
    await lookAt(page, '/pages/Lock-up/Lock-up');
    await expectAccessible(page, 'the lock-ups');
    await lookAt(page, STANDING);
    await expect(page.getByText(into)).toBeVisible();
    await expectAccessible(page, 'the order for deposits');
    await showRenewed(page, standing);
    await lookAt(page, `${RECORD}?id=${id}`);
    await expect(page.getByText(from)).toBeVisible();
    await expect(page.getByRole('switch')).toBeChecked();
    await expectAccessible(page, 'a renewed lock-up');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
