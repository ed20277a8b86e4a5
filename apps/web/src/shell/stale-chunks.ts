const MARK = 'reloaded-for-chunks';
/** A second failure within this time is not cured by loading again: then the page says so. */
const GUARD_MS = 60_000;

/** After a deployment the chunks of the old page are gone: one reload fetches the new page, never a second in a row. */
export function reloadOnceOnStaleChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(MARK) ?? 0);
    if (!navigator.onLine || Date.now() - last < GUARD_MS) return;
    sessionStorage.setItem(MARK, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
