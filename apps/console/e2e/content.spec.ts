import { type Browser, expect, type Page, test } from '@playwright/test';
import { confirm, enter, expectAccessible } from './staff.ts';

/** Opens the customers' app in a separate browser context with a phone's viewport. */
async function openApp(browser: Browser, language: 'th' | 'ar', path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const answer = await page.request.post('/api/users/login', {
    form: { username: 'nicha', password: 'Chao9Phraya' },
    headers: { 'x-requested-with': 'XMLHttpRequest' },
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  await page.request.post('/api/users/message/reader', {
    form: { ids: 'all' },
    headers: { token: data.token, 'x-requested-with': 'XMLHttpRequest' },
  });
  const preferences = JSON.stringify({ state: { language, theme: 'light' }, version: 0 });
  await page.addInitScript(
    ([token, stored]) => {
      localStorage.setItem('token', token ?? '');
      localStorage.setItem('preferences', stored ?? '');
    },
    [data.token, preferences],
  );
  await page.goto(`/#${path}`);
  return page;
}

/** Types a title and a body into the language column at this place. */
async function write(page: Page, place: number, title: string, body: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Title', exact: true }).nth(place).fill(title);
  await page.getByRole('textbox', { name: 'Text', exact: true }).nth(place).fill(body);
}

test('operators write, preview, publish and take down an activity and a notice, which customers read in Thai and Arabic', async ({
  browser,
}) => {
  const bua = await enter(browser, 'bua');
  await bua.keyboard.press('g');
  await bua.keyboard.press('n');
  await bua.getByRole('tab', { name: 'Activities' }).click();
  await bua.getByRole('button', { name: 'New: Activity' }).click();
  await write(bua, 0, 'ทดลองเขียน', 'ข้อความ **สำคัญ**\n\n- หนึ่ง\n- สอง');
  await bua.getByRole('tab', { name: /العربية/ }).click();
  await write(bua, 1, 'نص تجريبي', 'كلمات <script>alert()</script> [القواعد](/pages/optionRule/index)');
  const phone = bua.getByRole('img', { name: 'As the customer gets it' });
  await expect(phone).toHaveAttribute('dir', 'rtl');
  await expect(phone.getByText('<script>alert()</script>')).toBeVisible();
  await bua.getByRole('button', { name: 'Choose a picture' }).click();
  await bua
    .getByRole('dialog')
    .getByRole('button', { name: /@activity-guard/ })
    .click();
  await bua.getByRole('button', { name: /^Save/ }).click();
  await expect(bua.getByText('No text promises a result')).toBeVisible();
  await expectAccessible(bua, 'editor');
  await bua.getByRole('checkbox', { name: /languages have no text/ }).check();
  await bua.getByRole('button', { name: /^Publish/ }).click();
  await confirm(bua, 'Publish');
  await expect(bua.locator('.list .on').getByText('published')).toBeVisible();
  const activity = bua.url();

  for (const [language, title] of [
    ['th', 'ทดลองเขียน'],
    ['ar', 'نص تجريبي'],
  ] as const) {
    const app = await openApp(browser, language, '/pages/activeList/index');
    let hasRun = false;
    app.on('dialog', () => {
      hasRun = true;
    });
    await app.getByRole('button', { name: new RegExp(title) }).click();
    await expect(app.getByRole('heading', { level: 2, name: title })).toBeVisible();
    if (language === 'ar') {
      await expect(app.getByText('<script>alert()</script>')).toBeVisible();
      await app.getByRole('link', { name: 'القواعد' }).click();
      await expect(app).toHaveURL(/optionRule/);
    }
    expect(hasRun).toBe(false);
    await app.context().close();
  }

  // A notice to all customers needs the approval of a second person.
  await bua.getByRole('tab', { name: 'Notices' }).click();
  await bua.getByRole('button', { name: 'New: Notice' }).click();
  await write(bua, 0, 'แจ้งทดสอบระบบ', 'ระบบ **หยุดชั่วคราว** คืนนี้');
  await bua.getByRole('tab', { name: /العربية/ }).click();
  await write(bua, 1, 'إشعار تجريبي', 'يتوقف النظام **الليلة**');
  await bua.getByRole('button', { name: /^Save/ }).click();
  await bua.getByRole('checkbox', { name: /languages have no text/ }).check();
  await bua.getByRole('button', { name: /^Ask for a check/ }).click();
  await confirm(bua, 'Sign and propose');
  await expect(bua.getByText(/bua asked for a second person/)).toBeVisible();
  const notice = bua.url();

  const tan = await enter(browser, 'tan');
  await tan.goto('/console/#/approvals');
  await tan.locator('.list a', { hasText: 'A text for customers' }).first().click();
  await expect(tan.getByRole('img', { name: 'As the customer gets it' }).getByText('แจ้งทดสอบระบบ')).toBeVisible();
  await tan.keyboard.press('a');
  await confirm(tan, 'Approve');
  await tan.close();

  const app = await openApp(browser, 'ar', '/');
  // The notice was published before the app was opened, so it must be in the list without a live event.
  await app.goto('/#/pages/index/msgList');
  await expect(app.getByRole('heading', { name: 'إشعار تجريبي' })).toBeVisible();
  await app.getByRole('heading', { name: 'إشعار تجريبي' }).click();
  await expect(app.locator('.notice-text b', { hasText: 'الليلة' })).toBeVisible();

  for (const url of [notice, activity]) {
    await bua.goto(url);
    await bua.getByRole('button', { name: 'Take down' }).click();
    await bua.getByRole('dialog').getByRole('textbox').fill('a test is over');
    await bua.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
    await expect(bua.locator('.list .on').getByText('taken down')).toBeVisible();
  }
  await app.reload();
  await expect(app.getByRole('tab').first()).toBeVisible();
  await expect(app.getByRole('heading', { name: 'إشعار تجريبي' })).toHaveCount(0);
});

test('the content page is accessible in Thai and dark, with its rules and pictures', async ({ browser }) => {
  const page = await enter(browser, 'arun', { language: 'th', theme: 'dark' });
  for (const tab of ['notice', 'banner', 'activity', 'rule', 'kept', 'about', 'pictures']) {
    await page.goto(`/console/#/content?tab=${tab}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, tab);
  }
});
