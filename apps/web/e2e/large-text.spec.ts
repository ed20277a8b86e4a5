import { expect, test } from '@playwright/test';
import { indexTimes } from './index-times.ts';
import { lookAt } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';
import { textsOutside } from './texts-outside.ts';

const PAGES = [
  '/pages/index/index',
  '/pages/coinList/index',
  '/pages/optionRule/index',
  '/pages/mine/mine',
  '/pages/mine/setting',
  '/pages/Option/Option?code=BTC',
  '/pages/Option/orderRecord/orderRecord',
  '/pages/contracts/contracts?code=BTC',
  '/pages/contracts/orderList?status=all',
  '/pages/contracts/maker',
];

for (const language of ['th', 'ar'] as const) {
  test(`text that is half as large again has room: ${language}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    const headers = { token };
    await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
    // One that waits and one that is over, so that there are rows of both.
    const low = await indexTimes(request, 'BTC', 600n);
    for (const tif of ['GTC', 'IOC']) {
      const form = { code: 'BTC', side: 'buy', type: 'limit', price: low, quantity: '0.00512', tif };
      const answer = await request.post('/api/coin/trans/add', { headers, form });
      expect((await answer.json()).ret).toBe(1);
    }
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, PAGES[0] ?? '', { token, language });
    await readNotices(page);
    const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    expect(size).toBe('24px');
    const outside: string[] = [];
    for (const path of PAGES) {
      await lookAt(page, path);
      for (const text of await textsOutside(page)) outside.push(`${path}: ${text}`);
    }
    expect(outside).toEqual([]);
  });
}
