import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { ask, newCustomer } from './customer.ts';
import { confirm, enter, expectAccessible } from './staff.ts';

// The tests run in this order, because the withdrawal needs the higher limit of a verified customer.
test.describe.configure({ mode: 'default' });
let nicha = '';
test.beforeAll(async ({ request }) => {
  const entered = await request.post('/api/users/login', { form: { username: 'nicha', password: 'Chao9Phraya' } });
  nicha = (await entered.json()).data.token;
});

for (const [language, approve, sendBack, blurry] of [
  ['en', 'Verify', 'Send back', 'name differs'],
  ['th', 'ยืนยัน', 'ส่งกลับ', 'ชื่อไม่ตรง'],
] as const) {
  test(`an operator ${language === 'en' ? 'verifies' : 'sends back'} a certification by keyboard, in ${language}`, async ({
    browser,
    request,
  }) => {
    const isBack = language === 'th';
    const customer = isBack ? await newCustomer(request) : { username: 'nicha', token: nicha };
    const typed = { type: 'passport', name: 'Nicha Phromsiri', birth_date: '1990-01-31' };
    const number = `P${Date.now() % 10_000_000}`;
    await ask(request, customer.token, '/users/levelauth', { level: 'primary', ...typed, number });

    const page = await enter(browser, 'tan', { language, theme: isBack ? 'dark' : 'light' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.locator('.list a', { hasText: customer.username }).press('Enter');
    await expect(page.locator('.pane').getByText(number)).toBeVisible();
    await page.keyboard.press('t');
    await expect(page.locator('.list .tag').first()).toBeVisible();
    await expectAccessible(page, 'a certification');
    await page.keyboard.press(isBack ? 'r' : 'a');
    if (isBack) await page.locator('.foot').getByRole('checkbox', { name: blurry }).press('Space');
    await page
      .locator('.foot')
      .getByRole('button', { name: isBack ? new RegExp(`^${sendBack}:`) : approve, exact: !isBack })
      .last()
      .press('Enter');
    if (!isBack) {
      await expect(page.getByRole('dialog').getByText(typed.name)).toBeVisible();
      await confirm(page, approve);
    }
    // The next case opens, and the toast names the decision.
    await expect(page.getByText(`${customer.username}: ${isBack ? 'ส่งกลับแล้ว' : 'verified'}`)).toBeVisible();
    const { data } = await (
      await request.get('/api/users/certification', { headers: { token: customer.token } })
    ).json();
    expect(JSON.stringify(data)).toContain(isBack ? 'name_differs' : 'verified');
  });
}

test('two people sign the bank’s file, and finance downloads exactly what they saw', async ({ browser, request }) => {
  const { cards } = (await (await request.get('/api/users/bank', { headers: { token: nicha } })).json()).data as {
    cards: { id: string; name: string }[];
  };
  const order = { channel: 'bank', target: cards[0]?.id ?? '', amount: '30', paypass: '830274' };
  const { order_number: number } = await ask(request, nicha, '/users/extract', order);

  const korn = await enter(browser, 'korn');
  await korn.goto('/console/#/treasury');
  await korn.getByRole('checkbox', { name: String(number) }).waitFor();
  await expectAccessible(korn, 'payments that wait for the bank');
  await korn.getByRole('button', { name: /^Open a bank run of/ }).click();
  const hash = await korn.getByText(/^([0-9a-f]{4} ){15}[0-9a-f]{4}$/).textContent();

  for (const [name, settings, sign] of [
    ['fah', {}, 'Sign the file'],
    ['ploy', { language: 'th', theme: 'dark' }, 'เซ็นไฟล์'],
  ] as const) {
    const page = await enter(browser, name, settings);
    await page.goto('/console/#/treasury');
    await page.getByRole('button', { name: sign }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(String(number))).toBeVisible();
    await expect(dialog.getByText(String(hash))).toBeVisible();
    await expectAccessible(page, `a bank run, ${name}`);
    await confirm(page, sign);
  }
  const download = korn.waitForEvent('download');
  await korn.getByRole('button', { name: 'Download' }).first().click();
  const file = await readFile(await (await download).path());
  expect(file.toString()).toContain(`"${number}"`);
  expect(createHash('sha256').update(file).digest('hex')).toBe(hash?.replaceAll(' ', ''));
  await expect(korn.getByText(String(hash))).toBeVisible();
});

test('one person approves a withdrawal, two others sign its payment run, and the treasury pays it', async ({
  browser,
  request,
}) => {
  await ask(request, nicha, '/users/message/reader', { ids: 'all' });
  await request.post('/demo/fund', { headers: { token: nicha }, form: { asset: 'USDT', amount: '5000' } });
  const listed = await (await request.get('/api/users/bank', { headers: { token: nicha } })).json();
  const [wallet] = listed.data.wallets as { id: string; chain: string }[];
  const rates = await (await request.get('/api/users/extract/rate', { headers: { token: nicha } })).json();
  const channels = rates.data as { channel: string; left_today: string }[];
  // The rest of the daily limit, which needs people.
  const amount = channels.find(({ channel }) => channel === wallet?.chain)?.left_today ?? '';
  const order = { channel: wallet?.chain ?? '', target: wallet?.id ?? '', amount };
  const quote = await ask(request, nicha, '/users/extract/quote', order);
  expect(quote).toMatchObject({ people: 2 });
  const asked = await ask(request, nicha, '/users/extract', {
    ...order,
    quote: String(quote.quote),
    paypass: '830274',
  });
  expect(asked).toMatchObject({ status: 'review' });

  const shown = Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const korn = await enter(browser, 'korn');
  const ploy = await enter(browser, 'ploy', { language: 'th', theme: 'dark' });
  for (const page of [korn, ploy]) {
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('link', { name: 'nicha' }).first().press('Enter');
    await expect(page.locator('.pane .amount')).toHaveText(shown);
  }
  await expectAccessible(korn, 'a withdrawal');
  await expectAccessible(ploy, 'a withdrawal, Thai, dark');
  await korn.keyboard.press('t');
  // The claim arrives over the live stream, without a reload.
  await expect(ploy.locator('.pane').getByText(/korn/).first()).toBeVisible();
  await korn.keyboard.press('t');
  await korn.keyboard.press('a');
  await confirm(korn, 'Approve');
  const read = async (token: string, path: string, params = {}) =>
    (await (await request.get(`/api/admin/${path}`, { headers: { token }, params })).json()).data;
  const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('console.token') ?? '');
  const token = await tokenOf(korn);
  const status = async () => (await read(token, 'withdrawals/info', { id: String(asked.id) })).status;
  await expect.poll(status).toBe('processing');

  // The treasury pays it, and the chain wants the keys of two who did not examine it.
  for (const page of [korn, ploy]) {
    await page.keyboard.press('Escape');
    await page.goto('/console/#/treasury');
  }
  await expect(korn.getByText('Moving anything out of the treasury takes 2 of these 4 keys.')).toBeVisible();
  await expect(korn.getByText('demo key').first()).toBeVisible();
  await expectAccessible(korn, 'the treasury');
  await korn.getByRole('button', { name: /^Open a run of/ }).click();
  await expect(korn.getByText('You examined one of these lines. Somebody else signs.')).toBeVisible();
  await expect(ploy.getByRole('heading', { name: /^รอบจ่ายที่/ })).toBeVisible({ timeout: 15_000 });
  await expectAccessible(ploy, 'a payment run, Thai, dark');
  const fah = await enter(browser, 'fah');
  await fah.goto('/console/#/treasury');
  for (const [page, sign] of [
    [ploy, 'เซ็นด้วยคีย์เดโม'],
    [fah, 'Sign with the demo key'],
  ] as const) {
    await page.getByRole('button', { name: sign }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('nicha').first()).toBeVisible();
    await expect(dialog.getByText(/^0x/).last()).toBeVisible();
    await dialog.getByRole('button', { name: sign }).click();
    await expect(dialog).toHaveCount(0);
  }
  await expect.poll(status, { timeout: 120_000 }).toBe('success');
  await expect(fah.getByText('paid', { exact: true }).first()).toBeVisible({ timeout: 15_000 });
});
