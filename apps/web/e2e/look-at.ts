import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const PHONE = 390;

/** Goes to a page of the app that is open, and waits until it is all there and stands still. */
export async function lookAt(page: Page, path: string, width = PHONE): Promise<void> {
  await page.goto(`/#${path}`);
  await expect(page.locator('main')).not.toBeEmpty();
  await expect(page.locator('.ui-skeleton')).toHaveCount(0);
  // Elements that fade in are too faint at first, and those that change are between two colours, so wait for the
  // animations.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Expects axe to find no violations on the current page. */
export async function expectAccessible(page: Page, path: string): Promise<void> {
  // A row that lies half under the tabs is as large as the others: it is only where the page happens to stand.
  await page.evaluate(() => {
    const tabs = document.querySelector<HTMLElement>('.ui-tab-bar');
    if (tabs) tabs.style.position = 'static';
  });
  const { violations } = await new AxeBuilder({ page })
    .options({
      runOnly: { type: 'tag', values: STANDARDS },
      // Experimental, so no tag brings it: a name that leaves out what is seen can't be spoken to.
      rules: { 'label-content-name-mismatch': { enabled: true } },
    })
    .analyze();
  expect(violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** A finger that moves up over something, as to scroll the page. */
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
