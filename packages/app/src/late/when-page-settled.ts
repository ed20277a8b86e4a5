/** Long enough for an opened page's own code and data on a slow phone. */
const SETTLED_AFTER_MS = 2_500;
/** A busy page must not delay the loading forever. */
const IDLE_WITHIN_MS = 2_000;
const FIRST_TOUCHES = ['pointerdown', 'keydown'] as const;

/**
 * Resolves when an opened page has settled and the browser is idle, which is the time to load hidden parts. The first
 * press or key resolves it at once, because it may need one of these parts next.
 */
export function whenPageSettled(): Promise<void> {
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
