import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { trustKeys, verifyStatementFile } from '@sathorn/proof';
import { bound } from './bound.ts';
import { markNoticesRead, newCustomer, openApp, readNotices } from './new-customer.ts';

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

test('a lock-up that is shown with another yield than was signed is reported, and its page says what is kept', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  const answer = await request.post('/api/yuebao/transfer/in', {
    headers: { token, 'idempotency-key': randomUUID() },
    form: { type: 'regular', product: '30', amount: '500' },
  });
  const { data: order } = await answer.json();
  await markNoticesRead(request, token);
  // The device knows its customer, as after a sign-in.
  await openApp(page, '/pages/mine/mine', { token });
  await expect.poll(() => page.evaluate(() => localStorage.getItem('userInfo'))).not.toBeNull();
  await openApp(page, `/pages/Lock-up/record/record?id=${order.id}`, { token });
  // The page that shows it is answered with the signed text, which is kept.
  await expect(page.getByText(bound(/^แพลตฟอร์มลงลายเซ็นไว้ และอุปกรณ์นี้เก็บไว้แล้ว/))).toBeVisible({ timeout: 20_000 });

  await page.route('**/api/yuebao/order?**', async (route) => {
    const response = await route.fetch();
    const shown = await response.json();
    for (const item of shown.data.items) item.daily_rate = '0.00000001';
    await route.fulfill({ response, json: shown });
  });
  await page.reload();
  const sheet = page.getByRole('dialog', { name: bound('ข้อมูลไม่ตรงกับที่ลงลายเซ็นให้คุณไว้') });
  await expect(sheet.getByText(bound(/^การล็อก: .*\(อัตราผลตอบแทน\)$/)).first()).toBeVisible({ timeout: 20_000 });
});

test('another history of an account than the one that this device kept is reported, with both signed texts', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  const { data: statement } = await (await request.get('/api/users/account/statement', { headers: { token } })).json();
  // Plants what an earlier visit was sent: the same entry with another hash.
  const body = statement.signed.body.replace(/"[0-9a-f]{64}","1000000000"/, `"${'0'.repeat(64)}","1000000000"`);
  const kept = { statement: { ...statement, signed: { ...statement.signed, body } }, walked: [], isWhole: true };
  await page.addInitScript(
    ([name, value]) => localStorage.setItem(`evidence:own-chain:${name}`, value ?? ''),
    [statement.account.customer, JSON.stringify(kept)],
  );
  await markNoticesRead(request, token);
  await openApp(page, '/pages/mine/mine', { token });
  const sheet = page.getByRole('dialog', { name: bound('รายการเดินบัญชีของคุณไม่ตรงกับที่อุปกรณ์นี้เก็บไว้') });
  await expect(sheet.getByText(bound(/^USDT \(ยอดที่ใช้ได้\): ประวัติถึงแถวที่ 1 ถูกเปลี่ยน/))).toBeVisible({
    timeout: 20_000,
  });
  await sheet.getByRole('button', { name: 'ดูรายละเอียด' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ดาวน์โหลดหลักฐาน' }).click();
  const text = (await (await (await saved).createReadStream()).toArray()).join('');
  const file = JSON.parse(text);
  expect(file.findings).toMatchObject([{ kind: 'statement', about: 'USDT spot 1', says: ['rewritten'] }]);
  expect(file.statements).toMatchObject([{ body }, statement.signed]);
});

test('the whole statement is saved with its chain, and verified outside the app', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'BTC', amount: '1' } });
  await openApp(page, '/pages/accountDetails/accountDetails', { token, language: 'en' });
  await readNotices(page);
  await expect(page.getByText(/^Every row follows from the one before it, up to .+ \(2 rows\), checked/)).toBeVisible({
    timeout: 20_000,
  });
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Statement with its chain' }).click();
  const text = (await (await (await saved).createReadStream()).toArray()).join('');
  const { data } = await (await request.get('/api/proof/keys')).json();
  const { trusted } = await trustKeys(data.keys, []);
  expect(await verifyStatementFile(JSON.parse(text), trusted)).toMatchObject({ ok: true, entries: 2 });
});
