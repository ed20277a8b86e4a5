import { expect, type Page, test } from '@playwright/test';
import { bound } from './bound.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

const HOME = '/pages/index/index';

const totalOf = async (page: Page): Promise<string> => (await page.locator('.home-total').textContent()) ?? '';

test('a result is announced on any open page, counted on the home page, and has the same colour in every language', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  const headers = { token };
  await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '500' } });
  await openApp(page, HOME, { token });
  await readNotices(page);
  await expect(page.locator('.home-total')).toContainText(/[1-9]/);
  const before = await totalOf(page);

  // Buys on another device, with an amount that changes the total whatever the result.
  const bought = await request.post('/api/coin/order/add', {
    headers,
    form: { code: 'BTC', direction: 'up', quantity: '100', duration: '30' },
  });
  const { ret, msg, data } = await bought.json();
  expect(ret, msg).toBe(1);
  const options = page.getByRole('navigation', { name: 'เมนูหลัก' }).getByRole('link', { name: /ออปชัน/ });
  await expect(options).toHaveAccessibleName(bound(/คำสั่งที่เปิดอยู่ 1 รายการ/));

  const told = page.locator('.ui-toast').filter({ hasText: 'BTC 30 วิ' });
  await expect(told).toBeVisible();
  const { data: order } = await (
    await request.get('/api/coin/order/info', { headers, params: { id: data.id } })
  ).json();
  const tones: Record<string, string> = { won: 'success', lost: 'danger', tie: 'plain', void: 'plain' };
  await expect(told).toHaveAttribute('data-tone', tones[order.status] ?? '');
  await expect(options).not.toHaveAccessibleName(/คำสั่งที่เปิดอยู่/);
  if (order.status === 'won' || order.status === 'lost') await expect.poll(() => totalOf(page)).not.toBe(before);

  await told.getByRole('button', { name: 'ดูผล' }).click();
  await expect(page).toHaveURL(new RegExp(`receipt\\?id=${data.id}`));
  // In Thai red means rising, but a win still looks like success and a loss like danger.
  expect(await page.evaluate(() => document.documentElement.dataset.rise)).toBe('red');
  const token2 = order.status === 'won' ? '--success-ink' : '--danger';
  if (order.status === 'won' || order.status === 'lost') {
    await expect(page.locator('.result-amount .ui-money')).toBeVisible();
    const [shown, meant] = await page.evaluate((name) => {
      const amount = document.querySelector('.result-amount .ui-money') as HTMLElement;
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(${name})`;
      return [getComputedStyle(amount).color, getComputedStyle(probe).color];
    }, token2);
    expect(shown).toBe(meant);
  }
});

test('the first trading page asks once which colour means rising', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/Option/Option?code=BTC', { token });
  await readNotices(page);
  const offer = page.getByRole('group', { name: 'ใช้สีใดแสดงราคาขึ้น' });
  await offer.getByRole('button', { name: 'เขียวคือขึ้น' }).click();
  await expect(offer).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.dataset.rise)).toBe('green');
  await page.goto('/#/pages/contracts/contracts?code=BTC');
  await expect(page.getByRole('region', { name: 'สมุดคำสั่ง' })).toBeVisible();
  await expect(offer).toHaveCount(0);
});

test('an address with an unknown coin does not sell another coin', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  for (const path of ['/pages/Option/Option', '/pages/contracts/contracts']) {
    await openApp(page, `${path}?code=XXX`, { token });
    if (path.includes('Option')) await readNotices(page);
    await expect(page.getByText('เหรียญนี้ไม่เปิดให้ซื้อขาย')).toBeVisible();
    await expect(page.locator('.ticket-buttons, .ticket-form')).toHaveCount(0);
    await page.getByRole('main').getByRole('button', { name: /^ETH/ }).click();
    await expect(page).toHaveURL(/code=ETH$/);
    await expect(page.locator('.ticket-buttons, .ticket-form')).toHaveCount(1);
  }
});

test('an update opens the app’s download address, and is offered once per session', async ({ page }) => {
  await page.route(/\/api\/.*config/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.appurl_android = 'http://localhost:1/app?v=110';
    await route.fulfill({ response: answer, json: body });
  });
  // The test answers this request, so that the page is loaded before the next navigation begins.
  await page.route('http://localhost:1/**', (route) => route.fulfill({ contentType: 'text/html', body: 'the app' }));
  await openApp(page, HOME);
  await page.getByRole('button', { name: 'อัปเดต' }).click();
  await page.waitForURL('http://localhost:1/app?v=110');
  await page.goto('/#/pages/index/index');
  await expect(page.locator('.home-banners')).toBeVisible();
  await expect(page.getByRole('button', { name: 'อัปเดต' })).toHaveCount(0);
});
