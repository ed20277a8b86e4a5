import { expect, test } from '@playwright/test';
import { indexTimes } from './index-times.ts';
import { lookAt } from './look-at.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';
import { cutFields, textsOutside } from './texts-outside.ts';

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
  test(`text of one and a half times the size fits: ${language}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    const headers = { token };
    await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
    // One open and one finished order, so that both kinds of rows exist.
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

for (const language of ['th', 'ar', 'hi'] as const) {
  test(`the pages of deposits and withdrawals fit text of one and a half times the size: ${language}`, async ({
    page,
    request,
  }) => {
    const { token, paypass } = await newCustomer(request);
    const headers = { token };
    const post = async (path: string, form: Record<string, string>) => {
      const { ret, msg, data } = await (await request.post(path, { headers, form })).json();
      expect(ret, msg).toBe(1);
      return data;
    };
    await post('/demo/fund', { asset: 'USDT', amount: '10000' });
    await post('/api/pay/demo', { channel: 'testnet', amount: '1234.567891' });
    const ordered = await post('/api/pay/submit', { channel: 'promptpay', amount: '1999999.99' });
    const transfer = await post('/api/pay/submit', { channel: 'bank', amount: '1999999.99' });
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const added = await post('/api/users/bank/add', {
      type: 'wallet',
      name: 'ฮาร์ดแวร์วอลเล็ตตัวเก่า',
      coin: 'USDT',
      chain: 'testnet',
      address,
      paypass,
    });
    const target = added.wallet.id;
    const asked = await post('/api/users/extract', { channel: 'testnet', target, amount: '234.567891', paypass });
    await post('/api/users/message/reader', { ids: 'all' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, '/pages/mine/mine', { token, language });
    const outside: string[] = [];
    for (const path of [
      '/pages/Recharge/Recharge',
      '/pages/Recharge/Recharge?by=promptpay',
      '/pages/Recharge/record',
      `/pages/Recharge/qrpay?id=${ordered.id}`,
      `/pages/Recharge/bankpay?id=${transfer.id}`,
      `/pages/Recharge/orderDetails?id=${ordered.id}`,
      '/pages/Withdraw/Withdraw',
      '/pages/Withdraw/record',
      `/pages/Withdraw/orderDetails?id=${asked.id}`,
      '/pages/accountDetails/accountDetails',
    ]) {
      await lookAt(page, path);
      if (path === '/pages/Withdraw/Withdraw') {
        await page.locator('input[name=amount]').fill('345.678901');
        await expect(page.locator('.checkers-path')).toBeVisible();
      }
      for (const text of await textsOutside(page)) outside.push(`${path}: ${text}`);
      for (const field of await cutFields(page)) outside.push(`${path}: ${field}`);
    }
    expect(outside).toEqual([]);
  });
}
