import { PRESS_EVERY_MS } from './press-guard.ts';

/** The specification's limit of submits in flight. */
export const SUBMITS_IN_FLIGHT_MAX = 5;

export type ThrottleEntry = 'entered' | 'still_loading' | 'too_many';

/** Prevents sending the same submit twice, and more than five submits in flight. */
interface SubmitThrottle {
  /** `name` is the call's name, `payload` the encoded request. */
  enter(name: string, payload: string): ThrottleEntry;
  leave(name: string): void;
}

export function createSubmitThrottle(max = SUBMITS_IN_FLIGHT_MAX, now: () => number = Date.now): SubmitThrottle {
  const inFlight = new Map<string, string>();
  const left = new Map<string, { payload: string; at: number }>();
  return {
    enter(name, payload) {
      if (inFlight.has(name)) return 'still_loading';
      // A quick answer may come between the two presses of a double tap, and the second press is not another order.
      const before = left.get(name);
      if (before?.payload === payload && now() - before.at < PRESS_EVERY_MS) return 'still_loading';
      if (inFlight.size >= max) return 'too_many';
      inFlight.set(name, payload);
      return 'entered';
    },
    leave(name) {
      left.set(name, { payload: inFlight.get(name) ?? '', at: now() });
      inFlight.delete(name);
    },
  };
}
