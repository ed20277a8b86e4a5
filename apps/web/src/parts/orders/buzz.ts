/**
 * Lets the device tremble for some milliseconds where it can. Not for a customer who wants less motion, nor before the
 * first tap, when browsers refuse it.
 */
export function buzz(milliseconds: number): void {
  const isWanted = navigator.userActivation?.hasBeenActive && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (isWanted) navigator.vibrate?.(milliseconds);
}

/** An order was taken. */
export const BUZZ_TAKEN_MS = 10;
/** An order's result is shown. */
export const BUZZ_RESULT_MS = 20;
