import { expect, type Page, test } from '@playwright/test';
import { openApp } from './new-customer.ts';

/** Returns the tab bar's faults: a broken or cut label, a label outside its tab, a bar wider than the screen. */
const faults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const segmenter = new Intl.Segmenter(document.documentElement.lang, { granularity: 'word' });
    for (const tab of document.querySelectorAll('.ui-tab-bar > a')) {
      const label = tab.querySelector('span')?.firstChild;
      if (!label) continue;
      const [room, range] = [tab.getBoundingClientRect(), document.createRange()];
      for (const { index, segment, isWordLike } of segmenter.segment(label.textContent ?? '')) {
        if (!isWordLike) continue;
        range.setStart(label, index);
        range.setEnd(label, index + segment.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          found.push(`${segment} is broken`);
        const word = range.getBoundingClientRect();
        if (word.left < room.left - 1 || word.right > room.right + 1) found.push(`${segment} sticks out`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the screen');
    return found;
  });

for (const language of ['en', 'zh', 'th', 'jp', 'ar', 'hi']) {
  test(`the tab bar fits text of double size: ${language}`, async ({ page }) => {
    await openApp(page, '/pages/coinList/index', { language });
    await expect(page.locator('.ui-tab-bar')).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await faults(page), String(width)).toEqual([]);
    }
  });
}
