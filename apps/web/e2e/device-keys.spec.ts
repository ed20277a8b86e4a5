import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp, reopen } from './new-customer.ts';

const TRADE = '/pages/Option/Option?code=BTC';
const DEVICES = '/pages/mine/setting/sessions';
const BET = { code: 'BTC', direction: 'up', quantity: '10', duration: '300' };

const devicesOf = (page: Page) => page.locator('.ui-card', { hasText: bound('อุปกรณ์ที่ลงลายเซ็น') });

/** Buys on the page and returns the id of the order. */
async function buy(page: Page): Promise<string> {
  await page.getByLabel('เงินลงทุน').fill('100');
  await page.getByRole('button', { name: 'ซื้อขึ้น' }).click();
  const bought = page.waitForResponse('**/api/coin/order/add');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อขึ้น 100/ })
    .click();
  const { data } = await (await bought).json();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return data.id;
}

test('what a customer orders is signed by the device, and what is not says so', async ({ page, request }) => {
  const { token } = await newCustomer(request, { hasOtherDevice: false });
  const headers = { token };
  await request.post('/demo/fund', { headers, form: { asset: 'USDT', amount: '1000' } });
  await markNoticesRead(request, token);
  const registered = page.waitForResponse('**/api/users/devices/add');
  // The account page reads whose session it is.
  await openApp(page, '/pages/mine/mine', { token });
  expect((await (await registered).json()).ret).toBe(1);
  await reopen(page, TRADE);

  // The private half can be used and not read, and signing is no wait at the tap.
  const key = await page.evaluate(async () => {
    const opening = indexedDB.open('evidence');
    const done = (asked: IDBRequest) => new Promise((resolve) => asked.addEventListener('success', resolve));
    await done(opening);
    const table = opening.result.transaction('kept').objectStore('kept');
    const names = table.getAllKeys();
    await done(names);
    const name = names.result.map(String).find((each) => each.startsWith('device-key:')) ?? '';
    const reading = opening.result.transaction('kept').objectStore('kept').get(name);
    await done(reading);
    const { privateKey } = reading.result as { privateKey: CryptoKey };
    const took: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const before = performance.now();
      await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, new Uint8Array(300));
      took.push(performance.now() - before);
    }
    const exported = await crypto.subtle.exportKey('jwk', privateKey).then(
      () => true,
      () => false,
    );
    return { exported, medianMs: took.sort((a, b) => a - b)[10] ?? Number.NaN };
  });
  expect(key.exported).toBe(false);
  expect(key.medianMs).toBeLessThan(5);

  const signed = await buy(page);
  await reopen(page, `/pages/Option/orderRecord/receipt?id=${signed}`);
  await expect(page.getByText(bound('ลงลายเซ็นโดยอุปกรณ์นี้'))).toBeVisible();

  // Somebody else orders in the customer's name, without the device's key.
  const other = await request.post('/api/coin/order/add', {
    headers: { token, 'idempotency-key': randomUUID() },
    form: BET,
  });
  const { id: unsigned } = (await other.json()).data;
  await reopen(page, `/pages/Option/orderRecord/receipt?id=${unsigned}`);
  await expect(page.getByText(bound('ไม่มีลายเซ็นของอุปกรณ์'))).toBeVisible();
  const sheet = page.getByRole('dialog', { name: bound('มีรายการที่อุปกรณ์ของคุณไม่ได้ลงลายเซ็น') });
  await expect(sheet.getByText(bound(/ไม่มีอุปกรณ์ใดของคุณลงลายเซ็น/))).toBeVisible();
  await sheet.getByRole('button', { name: bound('ปิดไว้ก่อน') }).click();

  // The platform says that this device signed it.
  await page.route('**/api/users/ordered', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const items = answer.data.items as { id: string; signed: object | null }[];
    const own = items.find(({ id }) => id === signed)?.signed ?? null;
    for (const item of items) if (item.id === unsigned) item.signed = own;
    await route.fulfill({ response, json: answer });
  });
  await reopen(page, '/pages/mine/mine');
  await expect(sheet.getByText(bound(/แต่อุปกรณ์นี้ไม่ได้ลงลายเซ็น/))).toBeVisible();
});

test('a second device signs once its customer has confirmed it, and stops when it is removed', async ({
  page,
  request,
}) => {
  const { token, paypass } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await markNoticesRead(request, token);
  const refused = page.waitForResponse('**/api/users/devices/add');
  await openApp(page, '/pages/mine/mine', { token });
  expect((await (await refused).json()).data.code).toBe('device_key_not_first');

  // The receipt of an unsigned order leads to where this device can be confirmed.
  const headers = { token, 'idempotency-key': randomUUID() };
  const { data: order } = await (await request.post('/api/coin/order/add', { headers, form: BET })).json();
  await reopen(page, `/pages/Option/orderRecord/receipt?id=${order.id}`);
  await page.getByRole('button', { name: bound('ให้อุปกรณ์นี้ลงลายเซ็น') }).click();
  await expect(page).toHaveURL(new RegExp(`#${DEVICES}`));

  const devices = devicesOf(page);
  await expect(devices.getByRole('button', { name: bound('ลบ') })).toHaveCount(1);
  await devices.getByRole('button', { name: bound('ให้อุปกรณ์นี้ลงลายเซ็น') }).click();
  const sheet = page.getByRole('dialog', { name: bound('ให้อุปกรณ์นี้ลงลายเซ็น') });
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type('000000');
  await expect(sheet.getByText(bound(/^รหัสชำระเงินไม่ถูกต้อง/))).toBeVisible();
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type(paypass);
  await expect(page.getByText(bound('อุปกรณ์นี้ลงลายเซ็นคำสั่งของคุณแล้ว'))).toBeVisible();
  await expect(devices.getByText('อุปกรณ์นี้', { exact: true })).toBeVisible();
  await expectAccessible(page, DEVICES);

  await markNoticesRead(request, token);
  await reopen(page, TRADE);
  const id = await buy(page);
  await reopen(page, `/pages/Option/orderRecord/receipt?id=${id}`);
  await expect(page.getByText(bound('ลงลายเซ็นโดยอุปกรณ์นี้'))).toBeVisible();

  await reopen(page, DEVICES);
  await devices.locator('.ui-row', { hasText: 'อุปกรณ์นี้' }).getByRole('button').click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: bound('ลบ') })
    .click();
  await expect(page.getByText(bound('อุปกรณ์นั้นไม่ลงลายเซ็นอีกแล้ว'))).toBeVisible();
  await expect(devices.getByRole('button', { name: bound('ให้อุปกรณ์นี้ลงลายเซ็น') })).toBeVisible();
});
