import type { Page } from '@playwright/test';

/** Returns texts that overflow their card or the screen, unless they can be scrolled or end with an ellipsis. */
export function textsOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element) =>
      element.closest('.unseen') !== null ||
      [...withAncestors(element)].some((each) =>
        ['auto', 'scroll', 'hidden'].includes(getComputedStyle(each).overflowX),
      );
    function* withAncestors(element: Element) {
      for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) yield each;
    }
    return [...document.querySelectorAll('main *')].flatMap((element) => {
      const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim());
      if (own.length === 0 || scrolls(element)) return [];
      const range = document.createRange();
      // Only the element's own text counts: text for screen readers alone is clipped.
      range.setStartBefore(own[0] as Node);
      range.setEndAfter(own.at(-1) as Node);
      const text = range.getBoundingClientRect();
      const room = element.closest('.ui-card')?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth);
      const isOutside = text.width > 0 && (text.left < room.left - 1 || text.right > room.right + 1);
      return isOutside ? [`${element.className}: ${element.textContent}`] : [];
    });
  });
}

/** Returns fields whose value is cut off, which hides digits of an amount or a price. */
export function cutFields(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('main input:not([type=checkbox], [type=radio], [type=file])')]
      .filter((field) => field.clientWidth > 0 && field.scrollWidth > field.clientWidth + 1)
      .map((field) => `${field.name || field.id}: ${field.value} in ${field.clientWidth}px of ${field.scrollWidth}px`),
  );
}

/** Returns buttons, figures and words of a row that overlap. */
export function overlaps(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const boxes = [...document.querySelectorAll(selector)]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    return boxes.flatMap(({ element, box }, place) =>
      boxes
        .slice(place + 1)
        .filter(({ element: other }) => !element.contains(other) && !other.contains(element))
        .filter(
          ({ box: other }) =>
            Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
            Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1,
        )
        .map(({ element: other }) => `${element.textContent} over ${other.textContent}`),
    );
  }, selector);
}

/** Returns Latin, Arabic and Hindi words and figures that the end of a line breaks. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest('.unseen, .mono')) continue;
      for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(
        /[A-Za-z0-9.,\u0600-\u06ff\u0900-\u097f]{2,}/g,
      )) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const [first, ...others] = [...range.getClientRects()].filter(({ width }) => width > 1);
        if (first && others.some(({ top }) => top > first.top + first.height / 2)) found.push(word);
      }
    }
    return found;
  });
}
