import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

/** The accessible names of all focusable elements. */
const names = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main button, main a, main [tabindex="0"]')].map((element) => {
      const copy = element.cloneNode(true) as HTMLElement;
      for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
      return element.getAttribute('aria-label') ?? copy.textContent ?? '';
    }),
  );

/** Records changes of figures inside live regions, which screen readers would announce. */
const watchAnnounced = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const live = element?.closest('[aria-live], [role=status], [role=alert]');
        if (live && live.getAttribute('aria-live') !== 'off') said.push(live.textContent ?? '');
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });

/** Places an order better than the book's best, so that all its rows change. */
async function placeBest(page: Page, request: APIRequestContext): Promise<void> {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  const best = await page.locator('.book-side[data-side=buy] .book-price').first().textContent();
  const price = (Number(best?.replaceAll(',', '')) + 0.01).toFixed(2);
  const form = { code: 'BTC', side: 'buy', type: 'limit', price, quantity: '0.001', tif: 'GTC' };
  const placed = await request.post('/api/coin/trans/add', { headers: { token }, form });
  expect((await placed.json()).ret).toBe(1);
}

const MARKET = '/pages/contracts/contracts?code=BTC';

for (const [path, ticking] of [
  ['/pages/index/index', '.coin-row .price-flash'],
  ['/pages/coinList/index', '.coin-row .price-flash'],
  [MARKET, '.book-level .book-price'],
  ['/pages/Option/Option_old?code=BTC', '.holding-card .holding-what .cap'],
] as const) {
  test(`changing prices do not make screen readers announce the focused element again: ${path}`, async ({
    page,
    request,
  }) => {
    const { token } = await newCustomer(request);
    const headers = { token };
    await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
    const form = { code: 'BTC', direction: 'up', quantity: '10', duration: '300' };
    await request.post('/api/coin/order/add', { headers, form });
    await openApp(page, path, { token });
    await readNotices(page);
    await expect(page.locator(ticking).first()).toContainText(/[0-9]/);
    await expect(page.locator('.ui-skeleton')).toHaveCount(0);
    const before = await names(page);
    const figures = () => page.locator(ticking).allTextContents();
    const first = JSON.stringify(await figures());
    await watchAnnounced(page);
    if (path === MARKET) await placeBest(page, request);
    await expect.poll(async () => JSON.stringify(await figures())).not.toBe(first);
    expect(await names(page)).toEqual(before);
    expect(await page.evaluate(() => (window as unknown as { said: string[] }).said)).toEqual([]);
  });
}

test('a row of the book has its position as its name, and pressing it announces the taken price', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await openApp(page, MARKET, { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'ใช้ราคาซื้อลำดับที่ 2', exact: true }).press('Enter');
  const price = await page.locator('input[name=price]').inputValue();
  const status = page.locator('.book [role=status]');
  await expect(status).toHaveText(/^ใส่ราคา [0-9,.]+ แล้ว$/);
  expect((await status.textContent())?.replaceAll(',', '')).toContain(price);
});
