import { reloadNewest } from './reload-newest.ts';

const MARK = 'reloaded-for-chunks';
/** If a chunk fails again within this time, reloading does not help, and the page shows an error. */
const GUARD_MS = 60_000;

/**
 * True for the first failure in a while. False if storage is not available, so that the page is not reloaded in a loop.
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

/** True if a reload would lose typed text. */
function hasTypedText(): boolean {
  return [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type=radio], [type=checkbox]), textarea',
    ),
  ].some((field) => field.value !== '');
}

/**
 * After a deployment the old page's chunks no longer exist, so one reload fetches the new page. It never reloads twice
 * in a row or while there is typed text; then the part that needs the chunk shows an error and offers the reload.
 */
export function reloadForStaleChunk(): void {
  if (navigator.onLine && !hasTypedText() && isFirst()) void reloadNewest();
}
