import { expect, type Page } from '@playwright/test';
import { findViolations } from '@sathorn/app/testing-violations';
import { THAI_COMPOUNDS } from '@sathorn/text';
import { SCREENS } from '../src/paths.ts';

const PHONE = 390;

/** The pages at which a customer stays. Practice leads to another platform (`practice.spec.ts`). */
export const CUSTOMER_PAGES = SCREENS.filter(
  ({ path }) => !path.startsWith('/pages/login/') && path !== '/pages/practice/enter',
);

/** Opens a page of the running app and waits until it has loaded and nothing moves any more. */
export async function lookAt(page: Page, path: string, width = PHONE, origin = ''): Promise<void> {
  await page.goto(`${origin}/#${path}`);
  await expect(page.locator('main')).not.toBeEmpty();
  await expect(page.locator('.ui-skeleton')).toHaveCount(0);
  // Waits for animations, because elements that fade in have too little contrast.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
}

/** Returns the current page's Thai compounds that the end of a line breaks. */
export async function brokenCompounds(page: Page): Promise<string[]> {
  return page.evaluate(
    (compounds) => {
      const found: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { index, 0: word } of (node.textContent ?? '').matchAll(new RegExp(compounds.join('|'), 'g'))) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set(
            [...range.getClientRects()].filter(({ width }) => width > 1).map(({ y }) => Math.round(y)),
          );
          if (lines.size > 1) found.push(`${word} in ${node.textContent?.slice(0, 60)}`);
        }
      }
      return found;
    },
    THAI_COMPOUNDS.map((cut) => cut.replaceAll('|', '\\u2060?')),
  );
}

/** Expects axe to find no violations on the current page. */
export async function expectAccessible(page: Page, path: string): Promise<void> {
  // A price that flashes has too little contrast for an instant.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Elements half covered by the tabs, a foot or the ticket's button would fail the size check only because of the
  // scroll position.
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    for (const part of document.querySelectorAll<HTMLElement>(
      '.ui-tab-bar, .ticket-form > .ui-button, .page-foot, .earning-foot',
    ))
      part.style.position = 'static';
  });
  const violations = await findViolations(page, path, {
    tags: ['best-practice'],
    // This rule is experimental, so no tag enables it: an accessible name must contain the visible text, for voice
    // control.
    rules: { 'label-content-name-mismatch': { enabled: true } },
  });
  expect(violations).toEqual([]);
}

/** Swipes up with a finger over an element, as people scroll the page. */
export async function swipeUpOver(page: Page, selector: string): Promise<void> {
  const place = await page.locator(selector).first().boundingBox();
  const devtools = await page.context().newCDPSession(page);
  let y = (place?.y ?? 0) + 140;
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 160, y }] });
  for (let step = 0; step < 12; step += 1) {
    y -= 12;
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 160, y }] });
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
