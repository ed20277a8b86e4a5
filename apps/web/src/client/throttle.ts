import { PRESS_EVERY_MS } from '../shell/press-guard.ts';

/** The specification's limit of submits in flight. */
export const IN_FLIGHT_MAX = 5;

export type Entry = 'entered' | 'still_loading' | 'too_many';

/** Keeps the same submit from being sent twice, and more than five from being in flight. */
export interface Throttle {
  enter(name: string): Entry;
  leave(name: string): void;
}

export function createThrottle(max = IN_FLIGHT_MAX, now: () => number = Date.now): Throttle {
  const inFlight = new Set<string>();
  const leftAt = new Map<string, number>();
  return {
    enter(name) {
      if (inFlight.has(name)) return 'still_loading';
      // The second press of a double tap, after an answer that was quicker than the finger: not another order.
      if (now() - (leftAt.get(name) ?? Number.NEGATIVE_INFINITY) < PRESS_EVERY_MS) return 'still_loading';
      if (inFlight.size >= max) return 'too_many';
      inFlight.add(name);
      return 'entered';
    },
    leave(name) {
      inFlight.delete(name);
      leftAt.set(name, now());
    },
  };
}
