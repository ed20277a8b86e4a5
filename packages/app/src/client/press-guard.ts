/** The specification's click throttle. */
export const PRESS_EVERY_MS = 500;

/** Lets one press through in 500 ms. For presses of a person only: what the app does by itself is not held up. */
export function createPressGuard(now: () => number = Date.now): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at - last < PRESS_EVERY_MS) return false;
    last = at;
    return true;
  };
}
