import { expect, test } from '@playwright/test';
import { indexTimes } from './index-times.ts';
import { CUSTOMER_PAGES, lookAt } from './look-at.ts';
import { freshNames, newCustomer, openApp, readNotices } from './new-customer.ts';
import { brokenWords, cutFields, overlaps, textsOutside } from './texts-outside.ts';

const MARKET = '/pages/contracts/contracts?code=BTC';

for (const language of ['th', 'ar', 'hi'] as const) {
  test(`spot trading fits text of double size: ${language}`, async ({ page, request }) => {
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

test('each page fits text of double size', async ({ page, request }) => {
  test.slow();
  const { token } = await newCustomer(request);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openApp(page, '/pages/index/index', { token, language: 'th' });
  await readNotices(page);
  const found: string[] = [];
  for (const { path } of CUSTOMER_PAGES) {
    await lookAt(page, /Option\/Option|contracts/.test(path) ? `${path}?code=BTC` : path);
    found.push(...[...(await textsOutside(page)), ...(await cutFields(page))].map((text) => `${path}: ${text}`));
  }
  expect(found).toEqual([]);
});

test('text of double size clips no group of an address', async ({ page, request }) => {
  const customer = await newCustomer(request);
  const { token, paypass } = customer;
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const form = { type: 'wallet', name: 'Exchange', coin: 'USDT', chain: 'testnet', address, paypass };
  expect((await (await request.post('/api/users/bank/add', { headers: { token }, form })).json()).ret).toBe(1);
  await request.post('/api/users/message/reader', { headers: { token }, form: { ids: 'all' } });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openApp(page, '/pages/Withdraw/Withdraw', { token, language: 'th' });
  for (const [path, width] of [
    ['/pages/Withdraw/Withdraw', 390],
    ['/pages/Withdraw/Withdraw', 320],
    ['/pages/Recharge/Recharge', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await lookAt(page, path, width);
    await expect(page.locator('.address-groups').first()).toBeVisible();
    // Measures the text and not its box, within every surrounding element that clips.
    const cut = await page.locator('.address-groups > span').evaluateAll((groups) =>
      groups.flatMap((group) => {
        const range = document.createRange();
        range.selectNodeContents(group);
        const text = range.getBoundingClientRect();
        let [left, right] = [0, document.documentElement.clientWidth];
        for (let box = group.parentElement; box; box = box.parentElement)
          if (getComputedStyle(box).overflowX !== 'visible') {
            const edge = box.getBoundingClientRect();
            [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
          }
        return text.left < left - 0.5 || text.right > right + 0.5 ? [group.textContent] : [];
      }),
    );
    expect(cut, `${path}, ${width}`).toEqual([]);
  }
});

for (const language of ['en', 'ar', 'hi'] as const) {
  test(`sheets and messages of a page fit text of double size: ${language}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    const headers = { token };
    await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
    await request.post('/api/users/message/reader', { headers, form: { ids: 'all' } });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, '/pages/index/index', { token, language });
    const expectRoom = async (what: string) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(390);
      const found = [...(await textsOutside(page)), ...(await cutFields(page)), ...(await brokenWords(page))];
      expect(found, what).toEqual([]);
    };
    await lookAt(page, '/pages/index/index');
    await expect(page.locator('.home-banner').first()).toBeVisible();
    expect(await overlaps(page, '.home-banner > *')).toEqual([]);
    await expectRoom('the home page');

    await lookAt(page, '/pages/Option/Option?code=BTC');
    await page.locator('.ticket input[inputmode=decimal]').fill('100');
    await page.locator('.ticket-buttons > button').first().click();
    await page.getByRole('dialog').getByRole('button').first().click();
    await expect(page.locator('.holding-card .ui-money').last()).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectRoom('an open option');

    await lookAt(page, '/pages/Recharge/Recharge');
    await page.locator('.deposit-test > .ui-button').click();
    await expect(page.locator('.deposit-sent .ui-money')).toBeVisible();
    await expectRoom('a deposit on its way');

    const order = await request.post('/api/pay/submit', { headers, form: { channel: 'promptpay', amount: '1000' } });
    await lookAt(page, `/pages/Recharge/qrpay?id=${(await order.json()).data.id}`);
    await expectRoom('a QR to pay');

    await lookAt(page, '/pages/Lock-up/productDetails/productDetails?id=15');
    await page.locator('input[name=amount]').fill('100');
    await expect(page.locator('.earning-chart')).toBeVisible();
    await expectRoom('a lock-up');
    expect(await overlaps(page, '.earning-label > .muted, .ui-amount .ui-field-label')).toEqual([]);
    await lookAt(page, '/pages/blindbox/index');
    await expectRoom('a blind box');
    await expect(page.locator('.page-foot')).toHaveCSS('position', 'static');
    await lookAt(page, '/pages/index/singin');
    await expectRoom('the check-in');
    await lookAt(page, '/pages/mine/Certification/primary');
    expect(await textsOutside(page)).toEqual([]);
  });

  test(`a code stays readable beside the countdown to the next one: ${language}`, async ({ page }) => {
    await openApp(page, '/pages/login/regist', { language });
    await page.locator('input[name=phone]').fill(freshNames().phone.replace('+66', ''));
    await page.locator('.ui-code-send').click();
    await expect(page.locator('.ui-code-send')).toBeDisabled();
    await page.locator('input[name=code]').fill('666666');
    expect(await cutFields(page)).toEqual([]);
  });
}
