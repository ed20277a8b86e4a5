/** The specification's limit of submits in flight. */
export const IN_FLIGHT_MAX = 5;

export type Entry = 'entered' | 'still_loading' | 'too_many';

/** Keeps the same submit from being sent twice at once, and more than five from being in flight. */
export interface Throttle {
  enter(name: string): Entry;
  leave(name: string): void;
  readonly count: number;
}

export function createThrottle(max = IN_FLIGHT_MAX): Throttle {
  const inFlight = new Set<string>();
  return {
    enter(name) {
      if (inFlight.has(name)) return 'still_loading';
      if (inFlight.size >= max) return 'too_many';
      inFlight.add(name);
      return 'entered';
    },
    leave(name) {
      inFlight.delete(name);
    },
    get count() {
      return inFlight.size;
    },
  };
}
