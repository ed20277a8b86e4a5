import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { publicKeyOf } from '@sathorn/proof';
import { bound } from './bound.ts';
import { expectAccessible, lookAt } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp } from './new-customer.ts';

test.describe.configure({ mode: 'serial' });

const PORT = Number(process.env.E2E_PRACTICE_PORT);
const PRACTICE = `http://localhost:${PORT}`;
const DATA_DIR = String(process.env.E2E_DATA_DIR);
let server: ChildProcess;

/** Starts the practice platform that the tested platform names. */
test.beforeAll(async () => {
  const { practiceKey } = JSON.parse(readFileSync(path.join(DATA_DIR, 'secrets', 'practice.json'), 'utf8'));
  server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    env: {
      ...process.env,
      PORT: String(PORT),
      BASE_URL: PRACTICE,
      DATA_DIR: path.join(DATA_DIR, 'practice'),
      PRACTICE_OF: `http://localhost:${process.env.E2E_PORT}`,
      PRACTICE_KEY: Buffer.from(publicKeyOf(Buffer.from(practiceKey, 'hex'))).toString('base64'),
      PROCESSES: '1',
      SIM_SEED: 'e2e',
      RATE_LIMIT: '100000',
    },
    stdio: 'inherit',
  });
  await expect
    .poll(
      () =>
        fetch(`${PRACTICE}/api/health`).then(
          (answer) => answer.status,
          () => 0,
        ),
      { timeout: 120_000 },
    )
    .toBe(200);
});
test.afterAll(async () => {
  server.kill('SIGINT');
  await once(server, 'exit');
});

const banner = (page: Page) => page.locator('.shell-practice');

test('one tap leads to the practice account, where money is marked, and one tap leads back', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await markNoticesRead(request, token);
  await openApp(page, '/pages/mine/mine', { token });
  await page.getByRole('button', { name: bound('บัญชีฝึกเทรด') }).click();

  await page.waitForURL(`${PRACTICE}/**`);
  await expect(banner(page)).toContainText(bound('เงินสมมติ'));
  await expect(page.getByText('vUSDT').first()).toBeVisible();
  // The ticket stays neither in the address nor in the history.
  expect(page.url()).not.toContain('ticket');
  await expect(page.getByRole('navigation', { name: 'เมนูหลัก' }).getByRole('link')).not.toHaveCount(5);

  // An option is bought and marked.
  await page.goto(`${PRACTICE}/#/pages/Option/Option_old?code=ETH`);
  await expect(banner(page)).toBeVisible();
  await expect(page.getByText(bound('ใช้ได้ 10,000.00'))).toBeVisible();
  await expect(page.locator('.ui-field-unit')).toHaveText('vUSDT');

  await page.goto(`${PRACTICE}/#/pages/mine/mine`);
  await page.getByRole('button', { name: bound('รับเงินทดสอบ') }).click();
  await page.getByRole('button', { name: /รับ .*1,000/ }).click();
  await expect(page.getByText('11,000.00').first()).toBeVisible();
  await expect(page.getByRole('button', { name: bound('ถอน'), exact: true })).toHaveCount(0);

  await banner(page).getByRole('link').click();
  await page.waitForURL(/#\/pages\/mine\/mine/);
  expect(new URL(page.url()).port).toBe(String(process.env.E2E_PORT));
  await expect(page.getByText('vUSDT')).toHaveCount(0);
});

test('a link that was used or altered says so, and shows the way from the real account', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  const asked = await request.post('/api/users/practice', { headers: { token } });
  const { url } = (await asked.json()).data as { url: string };
  await page.goto(url);
  await expect(page.getByText('vUSDT').first()).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.goto(url);
  await expect(page.getByText(bound('ลิงก์นี้ถูกใช้ไปแล้ว'))).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${PRACTICE}/#/pages/practice/enter`);
  await expect(page.getByText(bound('เปิดบัญชีฝึกเทรดได้จากบัญชีจริงของคุณ'))).toBeVisible();
});

for (const [language, theme] of [
  ['th', 'light'],
  ['ar', 'dark'],
] as const)
  test(`its screens are accessible, ${language}, ${theme}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    const asked = await request.post('/api/users/practice', { headers: { token, lang: language } });
    const { url } = (await asked.json()).data as { url: string };
    const ticket = new URL(url.replace('/#/', '/')).searchParams.get('ticket') ?? '';
    const entered = await request.post(`${PRACTICE}/api/users/practice/enter`, { form: { ticket } });
    const own = (await entered.json()).data as { token: string };
    await page.goto(`${PRACTICE}/api/health`);
    await page.evaluate(
      ([given, state]) => {
        localStorage.setItem('token', given ?? '');
        localStorage.setItem('preferences', JSON.stringify({ state: JSON.parse(state ?? ''), version: 0 }));
      },
      [own.token, JSON.stringify({ language, theme })],
    );
    for (const [name, at] of [
      ['home', '/pages/index/index'],
      ['mine', '/pages/mine/mine'],
      ['options', '/pages/Option/Option?code=BTC'],
      ['coins', '/pages/contracts/contracts?code=BTC'],
      ['settings', '/pages/mine/setting'],
      ['entrance', '/pages/practice/enter'],
    ] as const) {
      await lookAt(page, at, undefined, PRACTICE);
      await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true });
      await expect(banner(page)).toHaveText(/./);
      await expectAccessible(page, at);
    }
  });
