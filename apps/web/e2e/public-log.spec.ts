import { expect, type Page, test } from '@playwright/test';
import { isLogContradiction, verifyLogContradiction } from '@sathorn/transparency';
import { POLICY, POLICY_OF_NOBODY, TestingLog } from '../src/parts/evidence/testing-log.ts';
import { bound } from './bound.ts';
import { expectAccessible } from './look-at.ts';
import { markNoticesRead, newCustomer, openApp } from './new-customer.ts';

const VERIFY = '/pages/verify/index?tab=verify';

/** What the test shows in the platform's place. */
interface Shown {
  log: TestingLog;
  /** Null for a platform without a log. */
  policy: string | null;
  /** How long ago the two witnesses cosigned, in seconds. */
  cosigned: readonly number[];
  isDown?: boolean;
  /** True if the platform says that what the app hands in is not of its history. */
  isDisowned?: boolean;
}

/** Answers in the platform's place. Returns the notes that the app hands in. */
async function serveLog(page: Page, shown: Shown): Promise<string[]> {
  const handedIn: string[] = [];
  await page.route('**/log/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = pathname.slice('/log/'.length);
    const answer = (body: string) => route.fulfill({ contentType: 'text/plain; charset=utf-8', body });
    if (shown.isDown) return route.abort();
    if (pathname === '/api/log/seen') {
      handedIn.push(new URLSearchParams(route.request().postData() ?? '').get('note') ?? '');
      return route.fulfill({ json: { ret: 1, msg: '', data: { is_in_history: !shown.isDisowned } } });
    }
    if (shown.policy === null) return route.fulfill({ status: 404 });
    if (path === 'policy') return answer(shown.policy);
    const nowSeconds = Math.floor(Date.now() / 1_000);
    if (path === 'checkpoint') return answer(shown.log.note(...shown.cosigned.map((ago) => nowSeconds - ago)));
    const file = shown.log.files.get(path);
    return file === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ body: Buffer.from(file) });
  });
  return handedIn;
}

const cardOf = (page: Page) => page.locator('.ui-card', { hasText: bound('ประวัติสาธารณะของแพลตฟอร์ม') });

test('a customer sees who has seen the platform’s history, and the app follows it as it grows', async ({
  page,
  request,
}) => {
  const { token } = await newCustomer(request);
  await markNoticesRead(request, token);
  const shown: Shown = { log: await new TestingLog().grow(1_300), policy: POLICY, cosigned: [4, 12] };
  const handedIn = await serveLog(page, shown);
  await openApp(page, '/pages/mine/mine', { token });
  // In a demo the witnesses are processes, and never others.
  const line = bound(/^ประวัติของแพลตฟอร์มนี้: 1,300 รายการ 2 โปรเซสบนเครื่องของแพลตฟอร์มเองเห็นแล้ว \(\d+ วินาที/);
  await expect(page.getByText(line)).toBeVisible({ timeout: 20_000 });
  await expect.poll(() => handedIn.length).toBe(1);
  expect(handedIn[0]).toContain('log.example/a\n1300\n');

  await shown.log.grow(700);
  await openApp(page, VERIFY, { token });
  await page.reload();
  await expect(cardOf(page).getByText(bound(/^ประวัติของแพลตฟอร์มนี้: 2,000 รายการ/))).toBeVisible();
  await expect(cardOf(page).getByText(bound(/^ในโหมดทดลองนี้ โปรแกรมบนเครื่องของแพลตฟอร์มเอง/))).toBeVisible();
  await expect.poll(() => handedIn.at(-1)).toContain('log.example/a\n2000\n');
  await expectAccessible(page, VERIFY);
});

test('another history than the one that this device kept is told, and saved as a file that proves it', async ({
  page,
}) => {
  const shown: Shown = { log: await new TestingLog().grow(300), policy: POLICY, cosigned: [4, 12] };
  const handedIn = await serveLog(page, shown);
  await openApp(page, VERIFY, {});
  await expect(cardOf(page).getByText(bound(/^ประวัติของแพลตฟอร์มนี้: 300 รายการ/))).toBeVisible();
  await expect.poll(() => handedIn.length).toBe(1);

  shown.log = await (await new TestingLog().grow(200)).grow(300, 'other');
  await page.reload();
  const sheet = page.getByRole('dialog', { name: bound('ประวัติของแพลตฟอร์มไม่ตรงกับที่อุปกรณ์นี้เคยเห็น') });
  await expect(sheet.getByText(bound(/^แพลตฟอร์มลงลายเซ็นประวัติสองฉบับ.* 300 รายการ/))).toBeVisible();
  const saved = page.waitForEvent('download');
  await sheet.getByRole('button', { name: bound('บันทึกหลักฐานสองฉบับ') }).click();
  const file: unknown = JSON.parse((await (await (await saved).createReadStream()).toArray()).join(''));
  expect(isLogContradiction(file) && (await verifyLogContradiction(file))).toBeNull();
  await sheet.getByRole('button', { name: bound('ปิดไว้ก่อน') }).click();
  await expect(cardOf(page).locator('.verify-found')).toContainText('300');
  // What was kept stays, so the next visit finds the same and reports it once.
  await page.reload();
  await expect(sheet.getByText(bound(/^แพลตฟอร์มลงลายเซ็นประวัติสองฉบับ/))).toHaveCount(1);
  expect(handedIn).toHaveLength(1);
});

test('a platform without a history, one that nobody confirms, and one out of reach are told in words', async ({
  page,
}) => {
  const shown: Shown = { log: await new TestingLog().grow(5), policy: null, cosigned: [] };
  await serveLog(page, shown);
  await openApp(page, VERIFY, {});
  const told = async (words: string | RegExp) => {
    await expect(cardOf(page).getByText(bound(words))).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await told('แพลตฟอร์มนี้ไม่มีประวัติสาธารณะ');

  shown.policy = POLICY;
  await page.reload();
  await told(/^ผู้ที่ต้องยืนยันประวัติของแพลตฟอร์มนี้ยืนยันไม่ครบ/);

  shown.cosigned = [3_600, 3_700];
  await page.reload();
  await told(/^ประวัติของแพลตฟอร์มนี้: 5 รายการ ไม่มีการยืนยันตั้งแต่/);

  shown.isDown = true;
  await page.reload();
  await told(/^อ่านประวัติของแพลตฟอร์มนี้ไม่ได้ในขณะนี้ อุปกรณ์นี้เห็นครั้งล่าสุด 5 รายการ/);
});

test('another list of witnesses is told, and a history that the platform disowns', async ({ page }) => {
  const shown: Shown = { log: await new TestingLog().grow(9), policy: POLICY, cosigned: [4, 12], isDisowned: true };
  await serveLog(page, shown);
  await openApp(page, VERIFY, {});
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText(bound(/^แพลตฟอร์มบอกว่าประวัติ 9 รายการ/))).toBeVisible();
  await expect(cardOf(page).locator('.verify-found')).toBeVisible();

  shown.policy = POLICY_OF_NOBODY;
  await page.reload();
  await expect(sheet.getByText(bound(/^แพลตฟอร์มเปลี่ยนรายชื่อผู้ที่ต้องยืนยันประวัติ/))).toBeVisible();
});
