const MARK = 'reloaded-for-chunks';
/** A second failure within this time is not cured by loading again: then the page says so. */
const GUARD_MS = 60_000;

/** Something typed would be lost by a reload. */
function hasTypedText(): boolean {
  return [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type=radio], [type=checkbox]), textarea',
    ),
  ].some((field) => field.value !== '');
}

/**
 * After a deployment the chunks of the old page are gone: one reload fetches the new page. Never a second in a row, and never
 * over what somebody is typing: then whoever wanted the chunk says that it failed, and offers the reload.
 */
export function reloadOnceOnStaleChunks(): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(MARK) ?? 0);
    if (!navigator.onLine || Date.now() - last < GUARD_MS || hasTypedText()) return;
    sessionStorage.setItem(MARK, String(Date.now()));
    location.reload();
  });
}
