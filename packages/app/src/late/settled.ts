/** Long enough for an opened page's own code and data on a slow phone. */
const SETTLED_AFTER_MS = 2_500;
/** A busy page must not put it off forever. */
const IDLE_WITHIN_MS = 2_000;
const FIRST_TOUCHES = ['pointerdown', 'keydown'] as const;

/**
 * Resolves when an opened page has settled and the browser is idle: the time to load what the page does not show yet.
 * The first press or key resolves it at once, because what it leads to may be needed next.
 */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const type of FIRST_TOUCHES) removeEventListener(type, done, true);
      resolve();
    };
    const timer = setTimeout(() => {
      // Safari has no idle callbacks.
      if ('requestIdleCallback' in globalThis) requestIdleCallback(done, { timeout: IDLE_WITHIN_MS });
      else done();
    }, SETTLED_AFTER_MS);
    for (const type of FIRST_TOUCHES) addEventListener(type, done, true);
  });
}
