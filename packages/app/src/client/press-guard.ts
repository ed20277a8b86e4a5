/** The specification's minimum time between presses. */
export const PRESS_EVERY_MS = 500;

/** Allows one press per 500 ms. Only for presses by a person; the app's own actions are not limited. */
export function createPressGuard(now: () => number = Date.now): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at - last < PRESS_EVERY_MS) return false;
    last = at;
    return true;
  };
}
