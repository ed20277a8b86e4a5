import { expect, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

test('a visitor reads the status, the figures and verifies, in Arabic', async ({ page }) => {
  await openApp(page, '/pages/verify/index', { language: 'ar', theme: 'dark' });
  await expect(page.locator('.status-state h2')).not.toBeEmpty();
  await expect(page.locator('.status-source').first()).toContainText('sim-');
  await page.getByRole('tab', { name: 'الأرقام' }).click();
  await expect(page).toHaveURL(/tab=figures/);
  // Test money is not held in custody, so the page shows no coverage ratio.
  await expect(page.getByText(/أموال تجريبية غير محتفظ بها/)).toBeVisible();
  await expect(page.locator('.status-table').first()).not.toContainText('%');
  await expect(page.getByRole('heading', { name: /الاعتراضات/ })).toBeVisible();
  await expect(page.getByText('وسيط مدة الرد')).toBeVisible();
  await page.getByRole('tab', { name: 'التحقق' }).click();
  await expect(page.locator('.verify-text')).toBeVisible();
});

test('a failed read is reported and can be retried', async ({ page }) => {
  let isDown = true;
  await page.route('**/api/status', (route) => (isDown ? route.abort() : route.fallback()));
  await openApp(page, '/pages/verify/index', {});
  await expect(page.getByText('อ่านสถานะไม่สำเร็จ')).toBeVisible();
  isDown = false;
  await page.getByRole('button', { name: 'ลองอีกครั้ง' }).click();
  await expect(page.locator('.status-source').first()).toBeVisible();
});

test('a customer agrees to appear in the hall of fame, and withdraws the agreement', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/', { token });
  await readNotices(page);
  await page.getByRole('button', { name: 'ดูหอเกียรติยศ' }).click();
  await expect(page).toHaveURL(/pages\/index\/fame/);
  const shown = page.getByRole('switch', { name: /แสดงฉันที่นี่/ });
  await expect(shown).not.toBeChecked();
  await page.locator('.ui-switch').click();
  await expect(shown).toBeChecked();
  await page.reload();
  await expect(shown).toBeChecked();
  await page.locator('.ui-switch').click();
  await expect(shown).not.toBeChecked();
});
