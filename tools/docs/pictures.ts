import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { sendPost, startPlatform } from '../bench/bench-platform.ts';
import { findChromium } from '../test/find-chromium.ts';

const PHONE = { width: 390, height: 844 };
/** After this time a 30 s order has ended and its result message has closed. */
const SETTLED_MS = 34_000;

/** Takes the README's pictures of the running app with the demo customer's own orders. */
export async function takePictures(folder: string): Promise<void> {
  const executablePath = await findChromium();
  if (executablePath === null) throw new Error('there is no Chromium, and none could be installed');
  const platform = await startPlatform();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const base = `http://127.0.0.1:${platform.port}`;
    const { data } = await sendPost('/api/users/login', {
      mode: 'username',
      username: 'nicha',
      password: 'Chao9Phraya',
    });
    const token = data.token ?? '';
    const open = async (at: string, language: string, theme: string): Promise<Page> => {
      const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
      const page = await context.newPage();
      await page.addInitScript(
        ([token, state]) => {
          localStorage.setItem('token', token);
          localStorage.setItem('preferences', state);
        },
        [token, JSON.stringify({ state: { language, theme }, version: 0 })] as const,
      );
      await page.goto(`${base}/#${at}`);
      // The first page shows unread notices on top.
      await page
        .getByRole('alertdialog')
        .getByRole('button')
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      await page.waitForTimeout(3_000);
      return page;
    };
    const take = (page: Page, name: string) => page.screenshot({ path: path.join(folder, `${name}.png`) });

    await take(await open('/pages/index/index', 'th', 'light'), 'home-th');

    const order = { code: 'BTC', direction: 'up', quantity: '100', duration: '30' };
    const bought = await sendPost('/api/coin/order/add', order, token);
    await take(await open('/pages/Option/Option?code=BTC', 'en', 'light'), 'option-en');

    const price = (await read(`${base}/api/coin/data/rate?code=BTC`)).price ?? '0';
    const below = (part: bigint): string => {
      const cents = (BigInt(price.replace('.', '')) * part) / 10_000n;
      return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    };
    for (const part of [9_990n, 9_975n])
      await sendPost(
        '/api/coin/trans/add',
        { code: 'BTC', side: 'buy', type: 'limit', price: below(part), quantity: '0.01' },
        token,
      );
    await take(await open('/pages/contracts/contracts?code=BTC', 'th', 'light'), 'contracts-th');

    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const receipt = await open(`/pages/Option/orderRecord/receipt?id=${bought.data.id}`, 'ar', 'dark');
    await take(receipt, 'receipt-ar-dark');
  } finally {
    await browser.close();
    await platform.stop();
  }
}

async function read(at: string): Promise<Record<string, string>> {
  return ((await (await fetch(at)).json()) as { data: Record<string, string> }).data;
}
