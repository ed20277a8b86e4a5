import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { FIND_LIVE_MARKUP_SCRIPT, PLANTED_MARKUP, plantInAnswer } from '@sathorn/api/testing-answers';
import { CUSTOMER_PAGES } from './look-at.ts';
import { newCustomer, openApp } from './new-customer.ts';

const QUERIES: Record<string, string> = {
  '/pages/Option/Option': '?code=BTC',
  '/pages/contracts/contracts': '?code=BTC',
  '/pages/Lock-up/productDetails/productDetails': '?id=7',
  '/pages/Liquidity/buyConfirm': '?amount=50',
};

test('H1 markup in any text of any answer is shown as text, on every page', async ({ page, request }) => {
  test.slow();
  const { token } = await newCustomer(request);
  const post = async (path: string, form: Record<string, string>): Promise<void> => {
    const answer = await request.post(path, { headers: { token, 'idempotency-key': randomUUID() }, form });
    const { ret, msg } = await answer.json();
    expect(ret, `${path}: ${msg}`).toBe(1);
  };
  // Creates entries for the lists.
  await post('/demo/fund', { asset: 'USDT', amount: '500' });
  await post('/api/users/alerts/add', { code: 'BTC', side: 'above', price: '999999', mode: 'once' });
  await post('/api/support/send', { id: randomUUID(), text: PLANTED_MARKUP });
  await post('/api/users/bank/add', {
    type: 'wallet',
    coin: 'USDT',
    chain: 'testnet',
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    name: PLANTED_MARKUP.slice(-24),
    paypass: '493027',
  });
  await post('/api/users/message/reader', { ids: 'all' });

  const planted = new Set<string>();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await openApp(page, '/pages/index/index', { token, language: 'en' });
  await page.route('**/api/**', async (route) => {
    if (route.request().headers().upgrade) return route.continue();
    const answer = await route.fetch();
    const body = await answer.json().catch(() => null);
    if (body?.ret !== 1) return route.fulfill({ response: answer });
    const { pathname } = new URL(route.request().url());
    const data = plantInAnswer(route.request().method(), pathname.replace('/api', ''), body.data, planted);
    return route.fulfill({ response: answer, json: { ...body, data } });
  });
  // The reload drops answers that were read before the replacement.
  await page.reload();

  let shown = 0;
  for (const { path, access } of CUSTOMER_PAGES) {
    await page.goto(`/#${path}${QUERIES[path] ?? ''}`);
    await expect(page.locator('main'), path).not.toBeEmpty();
    await expect(page.locator('.ui-skeleton'), path).toHaveCount(0);
    expect(await page.evaluate(FIND_LIVE_MARKUP_SCRIPT), `${path} (${access})`).toEqual([]);
    if (((await page.locator('body').textContent()) ?? '').includes('data-planted')) shown += 1;
  }
  // The demo's outbox of sent codes is a page of the server. Waits for answers that are still being replaced, because
  // their routes cannot be fulfilled later.
  await page.unrouteAll({ behavior: 'wait' });
  await page.goto(`/demo/outbox?to=${encodeURIComponent(PLANTED_MARKUP)}`);
  expect(await page.evaluate(FIND_LIVE_MARKUP_SCRIPT)).toEqual([]);

  expect(dialogs).toEqual([]);
  // Ensures that the test has seen enough planted texts.
  expect([...planted].length).toBeGreaterThan(40);
  expect(shown).toBeGreaterThan(15);
});
