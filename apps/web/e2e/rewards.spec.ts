import { expect, test } from '@playwright/test';
import { newCustomer, openApp, readNotices } from './new-customer.ts';

test('a customer checks in, opens a box with the points, and sees each step verified', async ({ page, request }) => {
  const { token } = await newCustomer(request);
  await openApp(page, '/pages/index/singin', { token });
  await readNotices(page);
  await expect(page.locator('.reward-hero')).toContainText('วันที่ 1 จาก 7');
  await page.getByRole('button', { name: 'เช็กอินวันนี้ รับ 5 คะแนน' }).click();
  await expect(page.getByRole('button', { name: 'เช็กอินวันนี้แล้ว' })).toBeDisabled();
  await expect(page.locator('.reward-score')).toHaveText('5');
  await expect(page.locator('.reward-days [aria-current=date]')).toHaveAttribute('data-state', 'signed');

  await page.getByRole('button', { name: 'ใช้คะแนนเปิดกล่องสุ่ม' }).click();
  await page.getByRole('button', { name: 'กล่องทดสอบใบเล็ก' }).click();
  await expect(page.locator('.box-hero')).toContainText('คุณมี 5 คะแนน');
  await page.getByRole('button', { name: 'เปิดหนึ่งกล่อง ใช้ 5 คะแนน' }).click();
  // One press alone spends nothing.
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('คุณมี 5 คะแนน จะเหลือ 0 คะแนน');
  await question.getByRole('button', { name: 'ยกเลิก' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.locator('.box-hero')).toContainText('คุณมี 5 คะแนน');
  const open = page.getByRole('button', { name: 'เปิดหนึ่งกล่อง ใช้ 5 คะแนน' });
  // The button is visible above the tabs without scrolling.
  const [button, tabs] = [await open.boundingBox(), await page.locator('.ui-tab-bar').boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(tabs?.y ?? 0);
  await open.click();
  await question.getByRole('button', { name: 'เปิดหนึ่งกล่อง ใช้ 5 คะแนน' }).click();
  await expect(page.locator('.box-checks > li')).toHaveCount(7);
  await expect(page.locator('.box-checks [data-fault=""]')).toHaveCount(0);
  // A box without a beacon has six verification steps, and the page says what these cannot prove.
  await expect(page.getByText('6 จาก 6')).toBeVisible();
  await expect(page.locator('.box-checks')).toContainText('ไม่อาจตัดการสมคบของผู้ให้บริการ');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'ไฟล์ของการเปิดกล่องนี้' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^draw-\d+-[0-9a-f]{8}\.json$/);
  await page.getByRole('button', { name: 'เสร็จ', exact: true }).click();
  await page.getByRole('button', { name: 'ประวัติของฉัน' }).click();
  await expect(page.locator('.ui-row')).toHaveCount(1);
});

test('a visitor sees a box’s odds and remaining prizes, in Arabic', async ({ page }) => {
  await openApp(page, '/pages/blindbox/index', { language: 'ar', theme: 'dark' });
  await expect(page.locator('.box-table tbody tr').first()).toContainText('%');
  await expect(page.getByText(/تواطؤ المشغّل مع أحد العملاء غير مستبعد/).first()).toBeVisible();
  await page.getByRole('button', { name: 'تسجيل الدخول لفتح صندوق' }).click();
  await expect(page).toHaveURL(/login/);
});
