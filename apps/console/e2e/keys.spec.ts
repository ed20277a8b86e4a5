import { expect, test } from '@playwright/test';
import { openDesk } from './desk.ts';

/**
 * These calls neither move money nor decide. A claim grants nothing; starting a proof confirms nothing; an answer is
 * only words; and a text sent without a dialog still needs a second person.
 */
const HARMLESS = new RegExp(
  `^/admin/(${[
    'claims/(take|leave)',
    'step_up/start',
    'support/(take|read|typing|close|send)',
    'certifications/open',
    'content/(save|publish)',
  ].join('|')})$`,
);

const LETTERS = [...'abcdefhijklmnopqrstuvwxyz'];
const KEYS = [
  ...LETTERS,
  ...LETTERS.map((letter) => `Shift+${letter.toUpperCase()}`),
  ...'0123456789',
  ...['.', '/', '?', 'Enter', 'Space', 'Delete', 'Backspace', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'F2'],
  ...['Control+Enter', 'Control+s', 'Control+k', 'Meta+Enter'],
];

test('no single key moves money or decides, on any page with an open case', async ({ browser }) => {
  const { page, posted } = await openDesk(browser, {});
  const links = await page.locator('.side a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(links.length).toBeGreaterThan(15);
  const sent: string[] = [];
  const asked = new Set<string>();
  for (const link of links) {
    await page.goto(`/console/${link}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.ui-skeleton')).toHaveCount(0);
    const first = page.locator('.main .list a, .main tbody a').first();
    const at = (await first.count()) > 0 ? ((await first.getAttribute('href')) ?? link) : link;
    const open = async () => {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, at);
      if (at !== link) await expect(page.locator('.pane, .profile').first()).toBeVisible();
      await expect(page.locator('.ui-skeleton')).toHaveCount(0);
    };
    await open();
    for (const radio of await page.locator('.pane input[type=radio][name=line]:enabled').all()) await radio.check();
    for (const key of KEYS) {
      posted.length = 0;
      await page.keyboard.press(key);
      await page.waitForTimeout(25);
      const now = await page.evaluate(() => {
        (document.activeElement as HTMLElement | null)?.blur();
        return { hash: location.hash, isAsking: document.querySelector('dialog[open]') !== null };
      });
      if (now.isAsking) {
        asked.add(`${link} ${key}`);
        while ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape');
      }
      sent.push(...posted.filter((path) => !HARMLESS.test(path)).map((path) => `${at} ${key}: ${path}`));
      if (now.isAsking || now.hash !== at) await open();
    }
  }
  expect(sent).toEqual([]);
  // Ensures that a case was open, so that the keys could have decided something.
  expect([...asked]).toEqual(
    expect.arrayContaining(
      ['approvals a', 'approvals r', 'withdrawals a', 'withdrawals r', 'withdrawals q', 'deposits m', 'deposits r']
        .concat(['corrections a', 'corrections r', 'disputes a', 'incidents c'])
        .map((opened) => `#/${opened}`),
    ),
  );
});
