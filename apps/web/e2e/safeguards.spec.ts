import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { newCustomer, openApp } from './new-customer.ts';

const post = (request: APIRequestContext, token: string, path: string, form: Record<string, string>) =>
  request.post(`/api${path}`, { headers: { token, 'x-requested-with': 'XMLHttpRequest', lang: 'en' }, form });

/** Marks all notices as read, and closes each notice that appears while the page is open. */
async function quiet(request: APIRequestContext, token: string, page?: Page): Promise<void> {
  await post(request, token, '/users/message/reader', { ids: 'all' });
  await page?.addLocatorHandler(page.getByRole('button', { name: /^(รับทราบ|فهمت)$/ }), (understood) =>
    understood.click(),
  );
}

for (const { language, words } of [
  {
    language: 'th',
    words: {
      set: 'ตั้ง: ขาดทุนต่อวัน',
      change: 'เปลี่ยน: ขาดทุนต่อวัน',
      save: 'บันทึก',
      left: 'เหลือ 50.00',
      pending: 'ขาดทุนต่อวัน: 300.00',
      undo: 'ยกเลิก',
      hours: '24 ชั่วโมง',
      begin: 'เริ่มพัก',
      resting: /กำลังพักการเทรดจนถึง/,
      exclude: /^ระงับจนถึง/,
      excluded: /ระงับการเทรดของตนเองจนถึง/,
      step: '+1%',
      alert: /^แจ้งเตือนที่/,
      count: /1 จาก 20/,
      remove: /^ลบ BTC/,
      none: 'ยังไม่มีการแจ้งเตือน',
    },
  },
  {
    language: 'ar',
    words: {
      set: 'تعيين: الخسارة في اليوم',
      change: 'تغيير: الخسارة في اليوم',
      save: 'حفظ',
      left: /المتبقي .*50\.00/,
      pending: /الخسارة في اليوم.*300\.00/,
      undo: 'تراجع',
      hours: '24 ساعة',
      begin: 'بدء الاستراحة',
      resting: /في استراحة حتى/,
      exclude: /^استبعاد نفسي حتى/,
      excluded: /مستبعَد ذاتيًا حتى/,
      step: /1%/,
      alert: /^تنبيه عند/,
      count: /1.* من .*20/,
      remove: /^حذف BTC/,
      none: 'لا تنبيهات بعد',
    },
  },
]) {
  test(`in ${language}, a stricter limit holds at once, a looser one waits, and a break stops trading`, async ({
    page,
    request,
  }) => {
    const { token } = await newCustomer(request);
    await quiet(request, token, page);
    await openApp(page, '/pages/mine/limits', { token, language });
    await page.getByRole('button', { name: words.set }).click();
    await page.getByRole('textbox').fill('50');
    await page.getByRole('button', { name: words.save }).click();
    await expect(page).toHaveURL(/mine\/limits$/);
    await expect(page.getByText(words.left)).toBeVisible();

    await page.getByRole('button', { name: words.change }).click();
    await page.getByRole('textbox').fill('300');
    await page.getByRole('button', { name: words.save }).click();
    await expect(page).toHaveURL(/mine\/limits$/);
    await expect(page.getByText(words.pending)).toBeVisible();
    await page.getByRole('button', { name: words.undo, exact: true }).click();
    await expect(page.getByText(words.pending)).toHaveCount(0);

    const buy = { code: 'BTC', direction: 'up', quantity: '51', duration: '60' };
    const refused = await (await post(request, token, '/coin/order/add', buy)).json();
    expect(refused.data).toMatchObject({ code: 'limit_loss_day', params: { max: '50.000000', left: '50.000000' } });

    await page.getByRole('button', { name: words.hours, exact: true }).click();
    await page.getByRole('button', { name: words.begin }).click();
    await expect(page.getByText(words.resting)).toBeVisible();
    const stopped = await (await post(request, token, '/coin/order/add', { ...buy, quantity: '1' })).json();
    expect(stopped.data.code).toBe('time_out');

    await lookAt(page, '/pages/mine/limits/exclude');
    await page.getByRole('button', { name: words.exclude }).click();
    await expect(page).toHaveURL(/mine\/limits$/);
    await expect(page.getByText(words.excluded)).toBeVisible();
  });

  test(`in ${language}, an alert is set from the current price and removed`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    await quiet(request, token);
    await openApp(page, '/pages/Option/Option?code=BTC', { token, language });
    await page.locator('.price-head button').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: words.step, exact: true }).first().click();
    await sheet.getByRole('button', { name: words.alert }).click();
    await expect(sheet.locator('.alert-row')).toHaveCount(1);
    await sheet.locator('.ui-nav-link').click();
    await expect(page).toHaveURL(/coinList\/alerts/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText(words.count)).toBeVisible();
    await page.getByRole('button', { name: words.remove }).click();
    await expect(page.getByText(words.none)).toBeVisible();
  });
}

for (const [language, theme] of [['ar', 'dark']] as const) {
  test(`axe finds nothing on limits and alerts: ${language}, ${theme}`, async ({ page, request }) => {
    const { token } = await newCustomer(request);
    await post(request, token, '/users/safeguards/limit', { kind: 'loss_day', value: '200' });
    await post(request, token, '/users/safeguards/limit', { kind: 'loss_day', value: '300' });
    await post(request, token, '/users/safeguards/limit', { kind: 'time_day', value: '60' });
    await post(request, token, '/users/alerts/add', { code: 'BTC', side: 'above', price: '900000', mode: 'each' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await quiet(request, token);
    await openApp(page, '/pages/mine/limits', { token, language, theme });
    for (const path of [
      '/pages/mine/limits',
      '/pages/mine/limits?of=account',
      '/pages/mine/limits/change?kind=loss_week',
      '/pages/mine/limits/exclude',
      '/pages/coinList/alerts?code=BTC',
    ]) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
  });
}
