import { generateKeyPairSync } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';

export interface NewCustomer {
  readonly username: string;
  readonly phone: string;
  readonly password: string;
  readonly paypass: string;
  readonly token: string;
}

const BUSY = 503;

/** Returns a phone number and a username that no other test uses. */
export function freshNames(): { username: string; phone: string } {
  const digits = String(Math.floor(Math.random() * 90_000_000) + 10_000_000);
  return { username: `t${Date.now().toString(36)}${digits.slice(0, 4)}`, phone: `+668${digits}` };
}

/** Returns the latest code sent to this address. A demo shows the messages that it sends. */
export async function codeSentTo(request: APIRequestContext, to: string): Promise<string> {
  const answer = await request.get('/demo/outbox', { params: { to }, headers: { accept: 'application/json' } });
  const sent: { code: string | null }[] = await answer.json();
  const code = sent.find((entry) => entry.code !== null)?.code;
  if (!code) throw new Error(`no code was sent to ${to}`);
  return code;
}

/** Registers the key of a device that this test does not use. */
async function registerDevice(request: APIRequestContext, token: string): Promise<void> {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const answer = await request.post('/api/users/devices/add', {
    headers: { token },
    form: { public_key: point.toString('hex') },
  });
  expect((await answer.json()).ret).toBe(1);
}

/**
 * Signs up through the API, for tests about something else. Repeats while the server says that it is too busy. The
 * account's first device is not the browser, which would report what a test orders through the API as unsigned.
 */
export async function newCustomer(request: APIRequestContext, { hasOtherDevice = true } = {}): Promise<NewCustomer> {
  for (;;) {
    const { username, phone } = freshNames();
    const password = 'Rain7drop';
    const paypass = '493027';
    const sent = await request.get('/api/users/sms', { params: { userphone: phone, must: 'register' } });
    if (sent.status() === BUSY) continue;
    expect((await sent.json()).ret).toBe(1);
    const answer = await request.post('/api/users/register', {
      form: {
        mode: 'phone',
        phone,
        code: await codeSentTo(request, phone),
        password,
        paypass,
        username,
        currency: 'BAHT',
        invite_code: 'WELCOME',
        agree: 'true',
      },
    });
    if (answer.status() === BUSY) continue;
    const { ret, msg, data } = await answer.json();
    expect(ret, msg).toBe(1);
    if (hasOtherDevice) await registerDevice(request, data.token);
    return { username, phone, password, paypass, token: data.token };
  }
}

/** Signs up on the screens, from the first step to the open account. */
export async function signUp(
  page: Page,
  request: APIRequestContext,
  { username, phone, password, paypass }: Omit<NewCustomer, 'token'>,
): Promise<void> {
  // People type the national number with its leading zero.
  await page.getByLabel('หมายเลขโทรศัพท์').fill(`0${phone.slice(3)}`);
  await page.getByRole('button', { name: 'ส่งรหัส' }).click();
  await expect(page.getByRole('button', { name: /ส่งใหม่ใน/ })).toBeDisabled();
  // The sixth digit opens the next step.
  await page.getByLabel('รหัสยืนยัน', { exact: true }).fill(await codeSentTo(request, phone));
  await page.getByRole('textbox', { name: 'ชื่อผู้ใช้' }).fill(username);
  await page.getByLabel('รหัสผ่านเข้าสู่ระบบ').fill(password);
  await page.getByRole('button', { name: 'ถัดไป' }).click();
  for (const round of [1, 2]) {
    await expect(page.getByText(`ขั้นที่ ${round} จาก 2`)).toBeVisible();
    await page.keyboard.type(paypass);
  }
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'สร้างบัญชี' }).click();
  await expect(page.getByRole('heading', { name: 'สร้างบัญชีแล้ว' })).toBeFocused();
}

/** Opens a page with a stored session and stored preferences. */
export async function openApp(
  page: Page,
  path: string,
  { token, ...preferences }: { token?: string; language?: string; theme?: string } = {},
): Promise<void> {
  // Stores them only on the first load, so that a reload does not undo what a test changes.
  await page.addInitScript(
    ({ token, preferences }) => {
      if (sessionStorage.getItem('opened')) return;
      sessionStorage.setItem('opened', '1');
      if (token) localStorage.setItem('token', token);
      if (Object.keys(preferences).length > 0) {
        localStorage.setItem('preferences', JSON.stringify({ state: preferences, version: 0 }));
      }
    },
    { token, preferences },
  );
  await page.goto(`/#${path}`);
}

/**
 * Loads a page in a new document. A panel that closes on the previous page steps back in the history, which must not
 * undo this navigation; so another document comes in between.
 */
export async function reopen(page: Page, path: string): Promise<void> {
  // The step back may also abort either navigation.
  await expect(async () => {
    await page.goto('/api/health');
    await page.goto(`/#${path}`);
  }).toPass();
}

/** Closes the notice that covers the page. */
export async function readNotices(page: Page): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button').click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
}

/** Marks all notices as read, so that no modal covers the page. */
export async function markNoticesRead(request: APIRequestContext, token: string): Promise<void> {
  await request.post('/api/users/message/reader', { headers: { token }, form: { ids: 'all' } });
}
