import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { bound } from './bound.ts';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

test('a chain that differs from what this device saw is reported at the next visit, and stored', async ({ page }) => {
  // Plants the memory of an earlier visit that had received another tick.
  const seen = { BTC: { head: ['1', '0'.repeat(64)], ticks: [] } };
  await page.addInitScript((text) => localStorage.setItem('evidence:seen-chains', text), JSON.stringify(seen));
  await openApp(page, '/pages/index/index');
  const sheet = page.getByRole('dialog', { name: bound('ประวัติราคาไม่ตรงกับที่อุปกรณ์นี้เคยเห็น') });
  await expect(sheet.getByText(bound(/^BTC: จุดราคาหมายเลข 1 ถูกเขียนใหม่/))).toBeVisible();
  await sheet.getByRole('button', { name: 'ดูรายละเอียด' }).click();
  await expect(page).toHaveURL(/pages\/verify\/index/);
  await expect(page.getByText(bound(/^BTC: จุดราคาหมายเลข 1 ถูกเขียนใหม่/))).toBeVisible();
  await expect(page.getByRole('button', { name: 'ดาวน์โหลดหลักฐาน' })).toBeVisible();
});

test('signed terms that differ from the order are reported as soon as they arrive', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await openApp(page, '/pages/Option/Option_old?code=BTC', { token });
  await readNotices(page);
  await page.route('**/api/coin/order/add', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const { terms } = answer.data;
    terms.body = terms.body.replace('"dir":"up"', '"dir":"down"');
    await route.fulfill({ response, json: answer });
  });
  await page.getByLabel('เงินลงทุน').fill('100');
  await page.getByRole('button', { name: /^ซื้อขึ้น/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^ซื้อขึ้น 100/ })
    .click();
  const sheet = page.getByRole('dialog', { name: 'กรุณาตรวจสอบคำสั่งนี้' });
  await expect(sheet.getByText(bound('เงื่อนไขที่ลงลายเซ็นไม่ตรงกับที่คุณสั่ง สิ่งที่ต่างไป: ทิศทาง'))).toBeVisible();
  await expect(sheet.getByText(bound(/^ลายเซ็นของเงื่อนไขใช้ไม่ได้/))).toBeVisible();
});

test('a published restoration is told as one, with what this device kept, and goes to support in one press', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  const answer = await request.post('/api/coin/order/add', {
    headers: { token, 'idempotency-key': randomUUID() },
    form: { code: 'BTC', direction: 'up', quantity: '100', duration: '300' },
  });
  const { id, terms } = (await answer.json()).data;
  const kept = { terms, rulesHash: null, keptAt: Date.now(), from: 'answer', findings: null };
  const seen = { BTC: { head: ['1', '0'.repeat(64)], ticks: [], since: 0 } };
  await page.addInitScript(
    ([chains, name, purchase]) => {
      localStorage.setItem('evidence:seen-chains', chains ?? '');
      localStorage.setItem(`evidence:purchase:${name}`, purchase ?? '');
    },
    [JSON.stringify(seen), id, JSON.stringify(kept)],
  );
  const [ends, restored] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const restoration = { restored_at: restored, ends_at: ends, known_at: ends, transfers: '1', known_transfers: '1' };
  await page.route('**/api/proof/restorations**', (route) =>
    route.fulfill({
      json: { ret: 1, msg: '', data: { items: [{ ...restoration, ticks: { BTC: '0' }, known_ticks: { BTC: '0' } }] } },
    }),
  );
  // This server was not restored and would accept nothing, so the test answers in its place.
  await page.route('**/api/users/kept', (route) =>
    route.fulfill({ json: { ret: 1, msg: '', data: { case: 'K-0001', taken: [], refused: [] } } }),
  );
  await openApp(page, '/pages/index/index', { token });
  const sheet = page.getByRole('dialog', { name: bound('แพลตฟอร์มได้รับการกู้คืนจากข้อมูลสำรอง') });
  await expect(sheet.getByText(bound('อุปกรณ์นี้เก็บเงื่อนไขที่ลงลายเซ็นของคำสั่งเหล่านี้ไว้:'))).toBeVisible();
  await expect(page.getByText(bound('ประวัติราคาไม่ตรงกับที่อุปกรณ์นี้เคยเห็น'))).toHaveCount(0);
  await sheet.getByRole('button', { name: bound('ส่งให้ฝ่ายบริการลูกค้า') }).click();
  await expect(sheet.getByRole('status')).toContainText('K-0001');
  const thread = await request.get('/api/support/messages', { headers: { token } });
  expect(JSON.stringify(await thread.json())).toContain(id);
});
