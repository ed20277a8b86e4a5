/**
 * Vibrates the device for some milliseconds, if it can. Does nothing for a customer who prefers reduced motion, or
 * before the first tap, when browsers refuse it.
 */
export function vibrateDevice(milliseconds: number): void {
  const isWanted = navigator.userActivation?.hasBeenActive && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (isWanted) navigator.vibrate?.(milliseconds);
}

/** For an accepted order. */
export const VIBRATE_TAKEN_MS = 10;
/** For an order's result. */
export const VIBRATE_RESULT_MS = 20;
