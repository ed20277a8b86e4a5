import { expect, type Page, test } from '@playwright/test';
import { SCREENS } from '../src/paths.ts';
import { brokenCompounds, CUSTOMER_PAGES, expectAccessible, lookAt } from './look-at.ts';
import { newCustomer, openApp, readNotices, reopen } from './new-customer.ts';

const HOME = '/pages/index/index';
const LANGUAGES = ['th', 'en', 'zh', 'jp', 'ar', 'hi'] as const;

/** The query in links to these pages. */
const QUERIES: Record<string, string> = {
  '/pages/Option/Option': 'code=BTC',
  '/pages/Option/Option_old': 'code=BTC',
  '/pages/contracts/contracts': 'code=BTC',
};

/** Pages that redirect: customer service is part of the app, and an address without a draw shows the list. */
const LEADS_TO: Record<string, string> = {
  '/pages/index/web-view': '/pages/service/index',
  '/pages/blindbox/draw': '/pages/blindbox/records',
};

/** Names, units and codes that every language writes in Latin letters. `tick` is the term in the rules. */
const LATIN = /^(sathorn|usdt|baht|https?|www|demo|example|com|qr|csv|html|sms|email|passkey|testnet|tick|localhost)$/i;

/** Lower-case Latin words on a page whose language is not written in Latin letters. */
async function englishWords(page: Page): Promise<string[]> {
  const words = await page.locator('main').evaluate((main) => {
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) {
      const own = texts.currentNode.parentElement?.closest('code, bdi, textarea, [translate=no], .mono, .unseen');
      if (!own) found.push(...(texts.currentNode.nodeValue?.match(/(?<![\w@./-])[a-z]{4,}(?![\w@./-])/g) ?? []));
    }
    return found;
  });
  return [...new Set(words)].filter((word) => !LATIN.test(word));
}

/** Collects uncaught exceptions and console errors of the page. */
function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (fault) => found.push(fault.message));
  page.on('console', (line) => line.type() === 'error' && found.push(line.text()));
  return found;
}

const addressOf = (path: string): string => (QUERIES[path] ? `${path}?${QUERIES[path]}` : path);

for (const language of LANGUAGES) {
  test(`each page opens for a customer in ${language}, without errors or foreign words`, async ({ page, request }) => {
    test.slow();
    const { token } = await newCustomer(request);
    const found = complaints(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openApp(page, HOME, { token, language, theme: language === 'ar' ? 'dark' : 'light' });
    await readNotices(page);
    for (const { path } of CUSTOMER_PAGES) {
      await lookAt(page, addressOf(path));
      await expect(page, path).toHaveURL(new RegExp(LEADS_TO[path] ?? path));
      if (language !== 'en') found.push(...(await englishWords(page)).map((word) => `${path}: ${word}`));
      if (language === 'th') found.push(...(await brokenCompounds(page)).map((word) => `${path}: a line cuts ${word}`));
      const headings = await page.locator('h1').count();
      if (headings !== 1) found.push(`${path}: ${headings} h1`);
      // Thai and Arabic cover both text directions; the other languages differ only in their texts.
      if (language === 'th' || language === 'ar') await expectAccessible(page, path);
      // The server closes the stream of a client that opens pages this fast, which no person does.
      else await page.waitForTimeout(150);
    }
    expect(found).toEqual([]);
  });

  test(`S4.1 S4.2 each page opens for a visitor or leads to sign-in with from, in ${language}`, async ({ page }) => {
    test.slow();
    const found = complaints(page);
    await openApp(page, HOME, { language });
    for (const { path, access } of SCREENS) {
      // A page redirects to sign-in in the same way in every language, so one language is enough for these.
      if (language !== 'th' && access !== 'anyone') continue;
      await page.goto(`/#${path}`);
      await expect(page.locator('main'), path).not.toBeEmpty();
      await expect(page, path).toHaveURL(
        access === 'anyone'
          ? new RegExp(`#${LEADS_TO[path] ?? path}$`)
          : new RegExp(`login/login\\?from=${encodeURIComponent(path)}`),
      );
      if (language !== 'en') found.push(...(await englishWords(page)).map((word) => `${path}: ${word}`));
      if (language === 'th') found.push(...(await brokenCompounds(page)).map((word) => `${path}: a line cuts ${word}`));
    }
    expect(found).toEqual([]);
  });
}

test('S4.5 S8.3 the end of a session is announced, and sign-in follows after 800 ms', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await page.routeWebSocket(/\/api\/stream/, (socket) => socket.close());
  await openApp(page, '/pages/mine/setting', { token, language: 'en' });
  await readNotices(page);
  await request.post('/api/users/logout', { headers: { token } });
  const said = page.getByText(/sign in/i).first();
  const begun = Date.now();
  await page.evaluate(() => {
    location.hash = '/pages/Option/orderRecord/orderRecord';
  });
  await expect(said).toBeVisible();
  await expect(page).toHaveURL(/login\/login\?from=/);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(800);
});

test('S9.6 the account page retries its read five times before it gives up', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  let tries = 0;
  await openApp(page, HOME, { token });
  await readNotices(page);
  await page.route(/\/api\/users\/info/, (route) => {
    tries += 1;
    return route.fulfill({ status: 500, body: '' });
  });
  await page.clock.install();
  await reopen(page, '/pages/mine/mine');
  // Each try waits for the answer of the previous one, which comes in real time.
  const triesLater = async (): Promise<number> => {
    await page.clock.runFor(1_000);
    return tries;
  };
  await expect.poll(triesLater, { timeout: 60_000, intervals: [100] }).toBeGreaterThanOrEqual(5);
});
