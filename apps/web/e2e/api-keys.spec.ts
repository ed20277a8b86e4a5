import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp, reopen } from './new-customer.ts';

const KEYS = '/pages/mine/security/keys';
const MAKE = `${KEYS}/add`;

/** Gives the page a passkey whose fingerprint check always succeeds, and adds it to the account. */
async function addPasskey(page: Page, paypass: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  // Closes the notices of these changes whenever they appear.
  await page.addLocatorHandler(
    page.getByRole('button', { name: 'รับทราบ' }),
    (understood) => understood.click({ timeout: 5_000 }).catch(() => undefined),
    { noWaitAfter: true },
  );
  await page.getByRole('button', { name: 'เพิ่มพาสคีย์' }).click();
  await expect(page.getByRole('dialog').getByRole('group')).toBeFocused();
  await page.keyboard.type(paypass);
  await expect(page.getByRole('button', { name: /^ลบ / })).toBeVisible();
}

async function confirm(page: Page, paypass: string): Promise<void> {
  const sheet = page.getByRole('dialog', { name: bound('สร้างคีย์ API') });
  await sheet.getByRole('button', { name: 'ยืนยันด้วยพาสคีย์' }).click();
  await expect(sheet.getByRole('group')).toBeFocused();
  await page.keyboard.type(paypass);
  await expect(page.getByRole('heading', { name: 'สร้างคีย์แล้ว' })).toBeVisible();
}

/** Sends a request as a program does. */
async function ask(
  request: APIRequestContext,
  key: string,
  signer: KeyObject | string,
  { form, time = Date.now() }: { form?: Record<string, string>; time?: number } = {},
) {
  const [method, target] = form ? ['POST', '/api/coin/order/add'] : ['GET', '/api/coin/user/balances'];
  const body = form ? new URLSearchParams(form).toString() : '';
  const nonce = randomUUID();
  const hash = createHash('sha256').update(body).digest('hex');
  const text = ['request/1', key, time, nonce, method, target, '', hash].join('\n');
  const signature =
    typeof signer === 'string'
      ? createHmac('sha256', signer).update(text).digest('hex')
      : sign(null, Buffer.from(text), signer).toString('hex');
  const headers = { 'Api-Key': key, 'Api-Time': String(time), 'Api-Nonce': nonce, 'Api-Signature': signature };
  const answer = await request.fetch(target ?? '', { method: method ?? '', headers, ...(form && { form }) });
  return (await answer.json()) as { ret: number; data: { id: string; code?: string } };
}

test('a customer makes an API key, a program trades with it, and the customer removes it', async ({
  page,
  request,
}) => {
  const { token, paypass } = await newCustomer(request);
  await request.post('/demo/fund', { headers: { token }, form: { asset: 'USDT', amount: '1000' } });
  await markNoticesRead(request, token);
  await openApp(page, MAKE, { token });
  // Nobody makes a key without a second factor.
  await page.getByRole('button', { name: bound('ไปที่ความปลอดภัย') }).click();
  await addPasskey(page, paypass);
  await markNoticesRead(request, token);
  await page.getByRole('button', { name: bound('คีย์ API') }).click();
  await expect(page.getByText(bound('ยังไม่มีคีย์ API'))).toBeVisible();
  await expect(page.getByText(bound(/^ไม่มีคีย์ใดถอนเงิน/))).toBeVisible();
  await expectAccessible(page, KEYS);

  await page.getByRole('button', { name: bound('สร้างคีย์ API') }).click();
  const submit = page.getByRole('button', { name: bound('สร้างคีย์ API') });
  await page.getByLabel('ชื่อคีย์').fill('บอตที่บ้าน');
  await page.getByRole('switch', { name: /^ซื้อขาย/ }).check();
  const field = page.getByRole('textbox', { name: 'กุญแจสาธารณะ' });
  await field.fill('my key');
  await page.getByLabel(/^ที่อยู่ IP ที่อนุญาต/).fill('127.0.0.1, here');
  await submit.click();
  await expect(field).toHaveAccessibleDescription(bound('นี่ไม่ใช่กุญแจสาธารณะ Ed25519'));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await field.fill(publicKey.export({ format: 'pem', type: 'spki' }).toString());
  await page.getByLabel(/^ที่อยู่ IP ที่อนุญาต/).fill('127.0.0.1, ::1');
  await expectAccessible(page, MAKE);
  await submit.click();
  await confirm(page, paypass);
  const id = (await page.locator('.money-facts dd bdi').last().textContent()) ?? '';
  await page.getByRole('button', { name: 'เสร็จสิ้น' }).click();
  const row = page.locator('.ui-row', { hasText: 'บอตที่บ้าน' });
  await expect(row.getByText('ซื้อขาย', { exact: true })).toBeVisible();
  await expect(row.getByText(bound('ยังไม่เคยใช้'))).toBeVisible();

  expect((await ask(request, id, privateKey)).ret).toBe(1);
  const form = { code: 'BTC', direction: 'up', quantity: '10', duration: '300' };
  const bought = await ask(request, id, privateKey, { form });
  expect(bought.ret).toBe(1);
  expect((await ask(request, id, privateKey, { time: Date.now() - 60_000 })).data.code).toBe('api_key_time');
  await markNoticesRead(request, token);
  await reopen(page, `/pages/Option/orderRecord/receipt?id=${bought.data.id}`);
  await expect(page.getByText(bound('สั่งด้วยคีย์ API “บอตที่บ้าน” ของคุณ'))).toBeVisible();

  await reopen(page, KEYS);
  await expect(row.getByText(bound('2 คำขอ'))).toBeVisible();
  await expect(page.locator('.ui-row', { hasText: bound('เวลาคลาดเคลื่อน') }).getByText(bound('1 ครั้ง'))).toBeVisible();
  await lookAt(page, KEYS);
  await row.getByRole('button', { name: 'ลบ' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'ลบ' }).click();
  await expect(row.getByText(bound('คุณลบแล้ว'))).toBeVisible();
  expect((await ask(request, id, privateKey)).data.code).toBe('api_key_revoked');

  // A secret is shown once.
  await page.getByRole('button', { name: bound('สร้างคีย์ API') }).click();
  await page.getByLabel('ชื่อคีย์').fill('สคริปต์');
  await page.getByRole('radio', { name: /HMAC/ }).check();
  await submit.click();
  await confirm(page, paypass);
  const secret = (await page.locator('.api-key-secret').textContent()) ?? '';
  const second = (await page.locator('.money-facts dd bdi').last().textContent()) ?? '';
  await expectAccessible(page, MAKE);
  expect((await ask(request, second, secret)).ret).toBe(1);
  await page.reload();
  await expect(page.getByText(secret)).toHaveCount(0);
});
