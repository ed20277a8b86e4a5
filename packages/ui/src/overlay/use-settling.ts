import { useEffect, useState } from 'react';

/** The specification's time between two presses. */
const SETTLING_MS = 500;

/**
 * True just after an overlay has opened. It prevents the second tap of a double tap from pressing a button that
 * appeared under the finger. Put `guard` on the popup.
 */
export function useSettling(open: boolean): {
  isSettling: boolean;
  guard: { 'data-settling'?: ''; onKeyDownCapture: (event: React.KeyboardEvent) => void };
} {
  const [settled, setSettled] = useState(false);
  // Resets for the next opening.
  if (!open && settled) setSettled(false);
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => setSettled(true), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [open]);
  const isSettling = open && !settled;
  return {
    isSettling,
    guard: {
      ...(isSettling && { 'data-settling': '' }),
      onKeyDownCapture: (event) => {
        // This also prevents a key press that is held down or repeated.
        if (isSettling && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
      },
    },
  };
}
