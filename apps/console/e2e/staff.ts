import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test';
import { findViolations } from '@sathorn/app/testing-violations';

interface DemoOperator {
  readonly work_name: string;
  readonly password: string;
  readonly code: string;
  readonly seconds_left: number;
}

/**
 * Reads a demo operator's credentials. A code works once and is accepted one step early, so this may wait for the next
 * code.
 */
async function credentialsOf(request: APIRequestContext, name: string): Promise<DemoOperator> {
  let found: DemoOperator | undefined;
  await expect
    .poll(
      async () => {
        const answer = (await (await request.get('/demo/operators')).json()) as { ret: number; data: DemoOperator[] };
        // The server refuses while the database is busy starting.
        found = answer.ret === 1 ? answer.data.find(({ work_name: workName }) => workName === name) : undefined;
        return found !== undefined && found.seconds_left < 59;
      },
      { timeout: 70_000, intervals: [1_000] },
    )
    .toBe(true);
  return found as DemoOperator;
}

/** Opens the console before anyone has signed in. */
export async function openConsole(
  browser: Browser,
  settings: object = {},
  stored: readonly Readonly<{ name: string; value: string }>[] = [],
): Promise<Page> {
  const origin = String(test.info().project.use.baseURL);
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin, localStorage: [...stored] }] },
  });
  const page = await context.newPage();
  const preferences = { state: { theme: 'light', language: 'en', ...settings }, version: 0 };
  await page.addInitScript((text) => localStorage.setItem('console.preferences', text), JSON.stringify(preferences));
  await page.goto('/console/');
  return page;
}

interface Entered {
  readonly token: string;
  readonly operator: object;
}

/** Returns the session that all tests share, because a code opens only one session per half minute. */
async function sessionOf(request: APIRequestContext, name: string): Promise<Entered> {
  const file = path.join(String(process.env.E2E_DATA_DIR), `session-of-${name}.json`);
  if (existsSync(file)) {
    const entered = JSON.parse(readFileSync(file, 'utf8')) as Entered;
    const { ret } = await (await request.get('/api/admin/me', { headers: { token: entered.token } })).json();
    // A session ends when it has not been used for a while.
    if (ret === 1) return entered;
  }
  const { password, code } = await credentialsOf(request, name);
  const answer = await request.post('/api/admin/login', { form: { username: name, password, code } });
  const { ret, msg, data } = await answer.json();
  expect(ret, msg).toBe(1);
  writeFileSync(file, JSON.stringify(data));
  return data;
}

/** Signs in all operators before any test, so that no test uses up a code that another one has read. */
export async function signInOperators(request: APIRequestContext): Promise<void> {
  const { data } = (await (await request.get('/demo/operators')).json()) as { data: DemoOperator[] };
  for (const { work_name: name } of data) await sessionOf(request, name);
}

/** Waits until the chain's first blocks are confirmed, because the house cannot pay before. */
export async function untilHouseHasCapital(request: APIRequestContext): Promise<void> {
  const { token } = await sessionOf(request, 'fah');
  const capital = async (): Promise<number> => {
    const answer = await request.get('/api/admin/ledger/accounts', { headers: { token }, params: { asset: 'USDT' } });
    const { data } = (await answer.json()) as { data: { items: { name: string; total: string }[] } };
    return Number(data.items.find(({ name }) => name === 'house_capital')?.total ?? 0);
  };
  await expect.poll(capital, { timeout: 300_000 }).toBeGreaterThan(0);
}

/** Opens the console as this operator. */
export async function enter(browser: Browser, name: string, settings: object = {}): Promise<Page> {
  const context = await browser.newContext();
  const { token, operator } = await sessionOf(context.request, name);
  await context.close();
  const page = await openConsole(browser, settings, [
    { name: 'console.token', value: token },
    { name: 'console.userInfo', value: JSON.stringify(operator) },
  ]);
  await expectEntered(page);
  return page;
}

async function expectEntered(page: Page): Promise<void> {
  await expect(page.getByRole('navigation')).toBeVisible();
  // Keys work once the page is loaded.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Signs in with password and authenticator, using only the keyboard. */
export async function signIn(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('textbox', { name: /^(Work name|ชื่อที่ใช้ทำงาน)/ })).toBeVisible();
  const { password, code } = await credentialsOf(page.request, name);
  await page.getByRole('textbox', { name: /^(Work name|ชื่อที่ใช้ทำงาน)/ }).focus();
  for (const text of [name, password, code]) {
    await page.keyboard.insertText(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expectEntered(page);
}

/** Gives the page a virtual authenticator whose fingerprint check always succeeds. */
export async function addAuthenticator(page: Page): Promise<void> {
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
}

/** Confirms a decision with a code. */
export async function answer(page: Page, button: string): Promise<void> {
  const name = (await page.locator('.side .me b').textContent()) ?? '';
  const dialog = page.getByRole('dialog').last();
  const { code } = await credentialsOf(page.request, name);
  await dialog.getByLabel(/Code of your authenticator|รหัสจากแอปยืนยันตัวตน/).fill(code);
  await dialog.getByRole('button', { name: button, exact: true }).press('Enter');
}

/** Confirms a decision and checks that no dialog stays open. */
export async function confirm(page: Page, button: string): Promise<void> {
  await answer(page, button);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.locator('.ui-skeleton')).toHaveCount(0);
  expect(await findViolations(page, what)).toEqual([]);
}
