import { expect, test } from '@playwright/test';
import { indexTimes } from './index-times.ts';
import { lookAt } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';
import { cutFields, overlaps, textsOutside } from './texts-outside.ts';

const MARKET = '/pages/contracts/contracts?code=BTC';

for (const language of ['th', 'ar', 'hi'] as const) {
  test(`spot trading has room for text that is twice as large: ${language}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    const headers = { token };
    await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
    const low = await indexTimes(request, 'BTC', 600n);
    const form = { code: 'BTC', side: 'buy', type: 'limit', price: low, quantity: '0.00512', tif: 'GTC' };
    const answer = await request.post('/api/coin/trans/add', { headers, form });
    expect((await answer.json()).ret).toBe(1);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, MARKET, { token, language });
    await readNotices(page);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    await page.locator('.ticket-form input[inputmode=decimal]').first().fill(low);
    await page.locator('.ticket-form input[inputmode=decimal]').nth(1).fill('0.00512');
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await lookAt(page, MARKET, width);
      expect(await textsOutside(page), `outside, ${width}`).toEqual([]);
      expect(await cutFields(page), `cut, ${width}`).toEqual([]);
      expect(await overlaps(page, '.ticket-form button, .ui-amount-shares button'), `over, ${width}`).toEqual([]);
      expect(await overlaps(page, '.tape li > *'), `tape, ${width}`).toEqual([]);
    }
  });
}
