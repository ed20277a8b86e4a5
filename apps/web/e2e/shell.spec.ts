import { expect, test } from '@playwright/test';
import { markNoticesRead, newCustomer, openApp, readNotices } from './new-customer.ts';

const HOME = '/pages/index/index';

test('a page that needs a session opens sign-in with from, which returns to it', async ({ page, request }) => {
  const { username, password } = await newCustomer(request);
  await openApp(page, '/pages/Option/orderRecord/orderRecord');
  await expect(page).toHaveURL(/login\/login\?from=%2Fpages%2FOption%2ForderRecord%2ForderRecord/);
  await page.getByLabel(/ชื่อผู้ใช้/).fill(username);
  await page.getByLabel('รหัสผ่าน', { exact: false }).first().fill(password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click();
  await expect(page).toHaveURL(/#\/pages\/Option\/orderRecord\/orderRecord$/);
});

test('Back follows the memory of pages, also after a reload, and stops at home', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, HOME, { token });
  await readNotices(page);
  await page.getByRole('link', { name: 'ออปชัน' }).click();
  await expect(page).toHaveURL(/optionRule\/index$/);
  await page.getByRole('button', { name: /รายการคำสั่ง/ }).click();
  await expect(page).toHaveURL(/orderRecord\/orderRecord$/);
  await page.reload();
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click();
  await expect(page).toHaveURL(/optionRule\/index$/);
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('pages') ?? '[]'));
  expect(kept).toEqual([HOME, '/pages/optionRule/index']);
  // The browser's own Back has the same effect.
  await page.getByRole('link', { name: 'เหรียญ' }).click();
  await page.goBack();
  await expect(page).toHaveURL(/optionRule\/index$/);
});

test('a session that the server has ended is announced, and sign-in opens', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  // Without the stream, the page itself notices the ended session first.
  await page.routeWebSocket(/\/api\/stream/, (socket) => socket.close());
  await openApp(page, '/pages/Option/orderRecord/orderRecord', { token });
  await readNotices(page);
  await request.post('/api/users/logout', { headers: { token } });
  // A read that the page makes by itself may notice it before the tap.
  const noticed = page.waitForURL(/login\/login\?from=/);
  await Promise.race([page.getByRole('tab', { name: 'ประวัติ' }).click(), noticed]);
  await noticed;
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('the first unread notice opens over the page, and its button marks it as read', async ({ page, request }) => {
  const { token, username, password } = await newCustomer(request);
  // A sign-in on another device creates a notice.
  await request.post('/api/users/login', { form: { username, password } });
  await openApp(page, HOME, { token });
  const modal = page.getByRole('alertdialog');
  await expect(modal).toBeVisible();
  await readNotices(page);
  await expect(modal).toHaveCount(0);
  // The focus is on the page and not on its first button, which would show a ring.
  await expect(page.locator('main')).toBeFocused();
  const answer = await request.get('/api/users/message/unread', { headers: { token } });
  expect((await answer.json()).data.unread).toBe(0);
});

test('one notice opens per navigation, a new one is a toast, and three are announced together', async ({
  page,
  request,
}) => {
  const { token, username, password } = await newCustomer(request);
  const modal = page.getByRole('alertdialog');
  // A sign-in on another device creates a notice.
  const unread = async () =>
    (await (await request.get('/api/users/message/unread', { headers: { token } })).json()).data.unread;
  let devices = 0;
  const signInElsewhere = async () => {
    devices += 1;
    const headers = { 'user-agent': `Mozilla/5.0 (Windows NT 10.0) Browser${devices}/${devices}.0` };
    const answer = await request.post('/api/users/login', { headers, form: { username, password } });
    expect((await answer.json()).ret).toBe(1);
  };
  await markNoticesRead(request, token);
  const wasRead = page.waitForResponse(/users\/message\/unread/);
  await openApp(page, '/pages/mine/setting', { token });
  await (await wasRead).finished();
  await signInElsewhere();
  await expect(page.locator('.ui-toast').getByRole('button', { name: 'ดู' })).toBeVisible();
  await expect(modal).toHaveCount(0);
  const secondRead = page.waitForResponse(/users\/message\/unread/);
  await signInElsewhere();
  await (await secondRead).finished();

  await page.goto('/#/pages/mine/mine');
  await readNotices(page);
  // The second notice waits for the next navigation.
  await expect.poll(unread).toBe(1);
  await expect(modal).toHaveCount(0);
  await page.goto('/#/pages/mine/setting');
  await readNotices(page);

  for (let n = 0; n < 3; n += 1) await signInElsewhere();
  await page.reload();
  await expect(modal).toContainText('3');
  await modal.getByRole('button', { name: 'อ่านแล้วทั้งหมด' }).click();
  await expect(modal).toHaveCount(0);
  await expect.poll(unread).toBe(0);
});

test('pages that share an entry of the screen table have their own titles', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await markNoticesRead(request, token);
  await openApp(page, '/pages/index/fame', { token, language: 'en' });
  for (const [path, title] of [
    ['/pages/index/fame', 'Hall of fame'],
    ['/pages/mine/limits/change?kind=loss_week', 'Loss per week'],
    ['/pages/mine/limits/exclude', 'Self-exclusion'],
    ['/pages/nowhere', 'This page doesn’t exist.'],
  ]) {
    await page.goto(`/#${path}`);
    await expect(page).toHaveTitle(title ?? '');
  }
});

test('home shows the prices in its first view, and every tool of the specification in two presses at most', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await openApp(page, HOME, { token });
  await readNotices(page);
  const tools = page.locator('.home-tools button:visible');
  const first = ['ฝาก', 'ถอน', 'ซื้อขายเหรียญ', 'เช็กอินประจำวัน'];
  await expect(tools).toHaveText([...first, 'เพิ่มเติม']);
  const bar = await page.locator('.ui-tab-bar').boundingBox();
  for (const place of [0, 1, 2]) {
    const price = page.locator('.home-quotes .coin-row-price').nth(place);
    await expect(price).toBeInViewport({ ratio: 1 });
    const box = await price.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  }
  await page.getByRole('button', { name: 'เพิ่มเติม' }).click();
  await expect(tools).toHaveText([
    ...first,
    'แชร์และชวนเพื่อน',
    'สิทธิประโยชน์',
    'ราคาเหรียญ',
    'สภาพคล่อง',
    'ล็อกอัป',
    'ข้อมูลบริษัท',
    'รายการคำสั่ง',
    'ตรวจสอบ',
    'ย่อ',
  ]);
  await tools.getByText('ล็อกอัป').click();
  await expect(page).toHaveURL(/Lock-up\/Lock-up$/);
});

test('copied text has none of the characters that keep words on one line', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/index/msgList', { token });
  const main = page.locator('main');
  await expect(main).toContainText('\u2060');
  // Copies are followed once the page has settled.
  await expect(async () => {
    const copied = await page.evaluate(() => {
      let text = '';
      document.addEventListener('copy', ({ clipboardData }) => (text = clipboardData?.getData('text/plain') ?? ''), {
        once: true,
      });
      getSelection()?.selectAllChildren(document.querySelector('main') as HTMLElement);
      document.execCommand('copy');
      return text;
    });
    expect(copied.length).toBeGreaterThan(100);
    expect(copied).not.toContain('\u2060');
  }).toPass();
});

test('changing the language changes the page’s direction at once and is remembered', async ({ page }) => {
  await openApp(page, HOME, { language: 'ar' });
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('link', { name: 'الرئيسية' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
});

test('a choice or a sign-in in one tab takes effect in the other', async ({ context, request }) => {
  const customer = await newCustomer(request);
  const [one, two] = [await context.newPage(), await context.newPage()];
  await openApp(one, '/pages/mine/setting', { token: customer.token });
  await readNotices(one);
  await openApp(two, '/pages/accountDetails/accountDetails');
  const eye = two.getByRole('button', { name: 'ซ่อนยอดเงิน' });
  await expect(eye).toBeVisible();

  await one.getByRole('button', { name: /^ภาษา/ }).click();
  await one.getByRole('dialog').getByText('English').click();
  await expect(one.locator('html')).toHaveAttribute('lang', 'en');
  await expect(two.locator('html')).toHaveAttribute('lang', 'en');
  // A choice in the second tab stores all preferences, but must not restore the old language.
  await two.getByRole('button', { name: 'Hide balances' }).click();
  await one.reload();
  await expect(one.getByRole('heading', { name: 'Settings' })).toBeVisible();

  await one.getByRole('button', { name: 'Sign out' }).click();
  await one.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(two).toHaveURL(/#\/pages\/login\/login\?from=/);
  await one.goto('/#/pages/login/login');
  await one.getByLabel('Username, phone or email').fill(customer.username);
  await one.getByLabel('Login password').fill(customer.password);
  await one.getByRole('checkbox').check();
  await one.getByRole('button', { name: 'Sign in' }).click();
  await expect(one).toHaveURL(/#\/pages\/index\/index$/);
  await expect(two).toHaveURL(/#\/pages\/accountDetails\/accountDetails$/);
});

test.describe('with the app’s service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('no text becomes a script, wherever it appears on the page; the service worker still starts', async ({
    page,
  }) => {
    await openApp(page, HOME);
    const worker = page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL);
    expect(await worker).toMatch(/^http:\/\/[^/]+\/sw\.js$/);
    const refused = await page.evaluate(() => {
      const putting: (() => unknown)[] = [
        () => Object.assign(document.createElement('div'), { innerHTML: '<img src=x onerror=alert(1)>' }),
        () => Object.assign(document.createElement('script'), { text: 'alert(1)' }),
        () => Object.assign(document.createElement('script'), { src: '/pictures/of-a-stranger.js' }),
        () => navigator.serviceWorker.register('/pictures/of-a-stranger.js'),
      ];
      const isRefused = async (put: () => unknown): Promise<boolean> => {
        try {
          await put();
          return false;
        } catch (error) {
          return error instanceof TypeError;
        }
      };
      return Promise.all(putting.map(isRefused));
    });
    expect(refused).toEqual([true, true, true, true]);
  });

  test('the app opens without a connection, and continues by itself when it is back', async ({ page, context }) => {
    await openApp(page, HOME);
    await page.evaluate(() => navigator.serviceWorker.ready);
    // Reloads, so that the service worker controls the page from its first byte, as on later visits.
    await page.reload();
    await page.goto('/#/pages/coinList/index');
    await expect(page.getByText('BTC').first()).toBeVisible();
    // The answer is stored soon after it is shown.
    await page.waitForFunction(
      async () => (await caches.match('/api/coin/lists', { ignoreSearch: true })) !== undefined,
    );

    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText('โหมดทดลอง · ราคาจำลองและเงินทดสอบ')).toBeVisible();
    await expect(page.getByText('กำลังเชื่อมต่อใหม่')).toBeVisible();
    // Shows the last quotes, dimmed, and the time of the server's last answer.
    await expect(page.getByText('BTC').first()).toBeVisible();
    await expect(page.locator('.shell-offline')).toHaveText(/^ออฟไลน์ · ข้อมูลเมื่อ \d+ .* \d\d:\d\d$/);
    await expect(page.locator('.shell-main')).toHaveCSS('opacity', '0.72');
    await page.getByRole('link', { name: 'หน้าแรก' }).click();
    await expect(page.getByText('Sathorn').first()).toBeVisible();
    await expect(page.getByText('BTC').first()).toBeVisible();

    await context.setOffline(false);
    await expect(page.getByText('BTC').first()).toBeVisible();
    await expect(page.getByText('กำลังเชื่อมต่อใหม่')).toHaveCount(0);
  });

  test('without a connection, options and contracts show their last quotes, book and charts', async ({
    page,
    context,
    request,
  }) => {
    const { token } = await newCustomer(request);
    await openApp(page, HOME, { token });
    await readNotices(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    const option = { price: page.locator('.price-head-price'), line: page.locator('.live-line') };
    const levels = page.locator('.book-level button');
    await page.goto('/#/pages/Option/Option?code=BTC');
    await expect(option.price).toHaveText(/\d/);
    await expect(option.line.locator('p')).toHaveCount(0);
    await page.goto('/#/pages/contracts/contracts?code=BTC');
    await expect(levels.first()).toBeVisible();
    await page.waitForFunction(async () => {
      const kept = await Promise.all(
        ['/api/coin/data/rate', '/api/coin/trans/rate', '/api/coin/book'].map((path) =>
          caches.match(path, { ignoreSearch: true }),
        ),
      );
      return kept.every((answer) => answer !== undefined);
    });

    await context.setOffline(true);
    await page.reload();
    await expect(levels.first()).toBeVisible();
    await expect(page.locator('.shell-offline')).toHaveText(/^ออฟไลน์ · ข้อมูลเมื่อ/);
    await page.goto('/#/pages/Option/Option?code=BTC');
    await page.reload();
    await expect(option.price).toHaveText(/\d/);
    await expect(option.line).toBeVisible();
    await expect(option.line.locator('p')).toHaveCount(0);
    await context.setOffline(false);
    await expect(page.locator('.shell-offline')).toHaveCount(0);
  });
});
