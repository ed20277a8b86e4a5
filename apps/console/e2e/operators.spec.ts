import { createHmac } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { answer, confirm, enter, expectAccessible } from './staff.ts';

/** Computes an authenticator code (RFC 6238) from the key in the form that people type. */
function codeNow(base32: string): string {
  const bits = Array.from(base32.replaceAll(' ', ''), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

for (const language of ['en', 'th'] as const) {
  const says = (en: string, th: string) => (language === 'en' ? en : th);
  test(`two administrators invite an operator, who enrols, and one freezes the operator, in ${language}`, async ({
    browser,
  }) => {
    // A retry of the test needs a new name.
    const name = `${says('nok', 'pim')}${test.info().retry || ''}`;
    const arun = await enter(browser, 'arun', { language });
    await arun.keyboard.press('g');
    await arun.keyboard.press('o');
    await expect(arun.getByRole('heading', { level: 1 })).toHaveText(says('Operators', 'เจ้าหน้าที่'));
    await arun.keyboard.press('i');
    const form = arun.getByRole('dialog');
    await form.getByLabel(/Work name|ชื่อที่ใช้ทำงาน/).fill(name);
    await form.getByLabel(/Reason|เหตุผล/).fill('starts on Monday');
    await arun.keyboard.press('Tab');
    await form.getByRole('button', { name: says('Ask a second person', 'ส่งให้คนที่สอง') }).press('Enter');
    await expect(arun.getByRole('dialog').last().getByText(name)).toBeVisible();
    await answer(arun, says('Sign and propose', 'ลงนามและเสนอ'));
    await expect(arun.getByRole('dialog')).toHaveCount(1);
    const link = (await form.locator('.mono').textContent()) ?? '';
    expect(link).toContain(`/console/#/enrol/${name}?secret=`);
    await expectAccessible(arun, 'the link of an invitation');
    await arun.keyboard.press('Escape');

    const dao = await enter(browser, 'dao', { language, theme: 'dark' });
    await dao.keyboard.press('g');
    await dao.keyboard.press('a');
    await dao.locator('.list a', { hasText: name }).press('Enter');
    await expect(dao.getByText('starts on Monday')).toBeVisible();
    await dao.keyboard.press('a');
    await confirm(dao, says('Approve', 'อนุมัติ'));
    await dao.getByRole('button', { name: says('Show the code', 'แสดงรหัส') }).press('Enter');
    const code = (await dao.locator('.amount').textContent()) ?? '';
    expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){2}$/);
    await expectAccessible(dao, 'the code of an invitation');

    const page = await (await browser.newContext()).newPage();
    await page.addInitScript(
      (stored) => localStorage.setItem('console.preferences', stored),
      JSON.stringify({ state: { language, theme: 'light' }, version: 0 }),
    );
    await page.goto(link);
    // The maker's half of the secret is not enough to enrol.
    await page.getByLabel(/Code of the administrator|รหัสจากผู้ดูแล/).fill('AAAA-AAAA-AAAA');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('enrolment_wrong');
    await page.getByLabel(/Code of the administrator|รหัสจากผู้ดูแล/).fill(code.toLowerCase());
    await page.keyboard.press('Enter');
    const key = (await page.locator('.note.mono').textContent()) ?? '';
    await page.getByLabel(/New password|รหัสผ่านใหม่/).fill('Khlong-San-by-7');
    await page.getByLabel(/^Authenticator code|^รหัสจากแอป/).fill(codeNow(key));
    await page.keyboard.press('Enter');
    await expect(page.locator('.codes')).toBeVisible();
    await expectAccessible(page, 'recovery codes');
    await page.getByRole('button', { name: says('I have kept them', 'เก็บไว้แล้ว') }).press('Enter');
    await expect(page.locator('.side .me b')).toHaveText(name);
    await expect(page.getByRole('link', { name: says('Operators', 'เจ้าหน้าที่'), exact: true })).toHaveCount(0);

    await arun.goto('/console/#/operators');
    // New entries are held back behind a button, so that no row moves under the pointer.
    await arun.getByRole('button', { name: says('1 new', 'ใหม่ 1 รายการ') }).press('Enter');
    await arun.getByRole('link', { name, exact: true }).press('Enter');
    await expect(arun.locator('.pane').getByText(says('active', 'ใช้งาน'), { exact: true })).toBeVisible();
    await expectAccessible(arun, 'an operator');
    await arun.keyboard.press('f');
    await arun
      .getByRole('dialog')
      .getByLabel(/Reason|เหตุผล/)
      .fill('a try');
    await confirm(arun, says('Freeze', 'ระงับ'));
    await expect(arun.locator('.pane').getByText(says('frozen', 'ถูกระงับ'), { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: /^(Sign in|เข้าสู่ระบบ)$/ }).first()).toBeVisible();
  });
}
