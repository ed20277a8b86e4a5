import { type APIRequestContext, expect, test } from '@playwright/test';
import { expectAccessible, lookAt } from './look-at.ts';
import { type NewCustomer, newCustomer, openApp } from './new-customer.ts';

/** Registers a customer and marks the notices as read, so that no notice covers the page. */
async function quietCustomer(request: APIRequestContext): Promise<NewCustomer> {
  const customer = await newCustomer(request);
  await request.post('/api/users/message/reader', { headers: { token: customer.token }, form: { ids: 'all' } });
  return customer;
}

for (const [language, theme] of [
  ['th', 'light'],
  ['ar', 'dark'],
] as const) {
  test(`welfare, activities and the platform’s own texts are complete in ${language}`, async ({ page, request }) => {
    const customer = await quietCustomer(request);
    await openApp(page, '/pages/index/welfare', { token: customer.token, language, theme });
    for (const path of [
      '/pages/index/welfare',
      '/pages/activeList/index',
      '/pages/index/companyProfile',
      '/pages/intro/intro',
    ]) {
      await lookAt(page, path);
      await expectAccessible(page, path);
    }
    await lookAt(page, '/pages/activeList/index');
    await page.locator('.activity-card').first().click();
    await expect(page.getByRole('heading', { level: 1 }).last()).not.toBeEmpty();
    const address = new URL(page.url()).hash.slice(1);
    await lookAt(page, address);
    await expectAccessible(page, address);
  });
}

test('an unknown activity is reported', async ({ page, request }) => {
  const customer = await quietCustomer(request);
  await openApp(page, '/pages/activeList/activeDetails?id=AAAAAAAAAAAAAAAA', { token: customer.token, language: 'th' });
  await expect(page.getByText('ไม่พบกิจกรรมนี้ หรือกิจกรรมสิ้นสุดแล้ว')).toBeVisible();
});
