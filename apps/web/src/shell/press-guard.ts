/** The specification's click throttle. */
export const PRESS_EVERY_MS = 500;

/** Lets the same press through once in 500 ms: a double tap opens a page once. Another press is not held up by it. */
export function createPressGuard(now: () => number = Date.now): (press: string) => boolean {
  let last = { press: '', at: Number.NEGATIVE_INFINITY };
  return (press) => {
    const at = now();
    if (press === last.press && at - last.at < PRESS_EVERY_MS) return false;
    last = { press, at };
    return true;
  };
}
