import { type MouseEvent, useEffect, useRef } from 'react';

const FIRST_MS = 400;
const EACH_MS = 80;

/**
 * Returns props for a button that acts once per press and repeats while a finger holds it down. `act` receives the
 * number of repetitions so far.
 */
export function usePressAndHold(act: (repeats: number) => void) {
  const current = useRef(act);
  current.current = act;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const repeats = useRef(0);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const repeat = () => {
    repeats.current += 1;
    current.current(repeats.current);
    timer.current = setTimeout(repeat, EACH_MS);
  };
  return {
    onPointerDown: () => {
      stop();
      repeats.current = 0;
      timer.current = setTimeout(repeat, FIRST_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // Prevents the phone's menu for a long press.
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    onClick: () => {
      // The click that ends a long press does not act again.
      if (repeats.current === 0) current.current(0);
      repeats.current = 0;
    },
  };
}
