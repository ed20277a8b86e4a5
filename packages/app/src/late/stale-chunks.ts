import { loadAnew } from './load-anew.ts';

const MARK = 'reloaded-for-chunks';
/** A second failure within this time is not cured by loading again: then the page says so. */
const GUARD_MS = 60_000;

/**
 * True for the first failure in a while. False when that cannot be remembered, so that the page is not reloaded in a
 * loop.
 */
function isFirst(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(MARK) ?? 0) < GUARD_MS) return false;
    sessionStorage.setItem(MARK, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/** Something typed would be lost by a reload. */
function hasTypedText(): boolean {
  return [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type=radio], [type=checkbox]), textarea',
    ),
  ].some((field) => field.value !== '');
}

/**
 * After a deployment the chunks of the old page are gone: one reload fetches the new page. Never a second in a row, and
 * never over what somebody is typing: then whoever wanted the chunk says that it failed, and offers the reload.
 */
export function reloadForStaleChunk(): void {
  if (navigator.onLine && !hasTypedText() && isFirst()) void loadAnew();
}
