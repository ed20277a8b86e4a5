import { isIPv6 } from 'node:net';
import type { Elapsed } from '../clock.ts';
import type { Limits } from './limits.ts';

const WINDOW_MS = 60_000;
/** So that a flood from made-up addresses can't fill the memory: beyond it the counts begin anew. */
const CALLERS_MAX = 200_000;

/**
 * Counts what each caller takes in a minute. It is asked twice on every request, so it is a map and a number: the
 * rate-limit plugin's own counting, promises and all, took a third of the edge's time for a call.
 */
export class Allowance {
  readonly #max: number;
  readonly #elapsedMs: Elapsed;
  #taken = new Map<string, number>();
  #windowEndsMs = Number.NEGATIVE_INFINITY;

  constructor(max: number, elapsedMs: Elapsed) {
    this.#max = max;
    this.#elapsedMs = elapsedMs;
  }

  /** Takes one: 0 when the caller had one left, otherwise the seconds until there are more. */
  take(caller: string): number {
    const now = this.#elapsedMs();
    if (now >= this.#windowEndsMs || this.#taken.size >= CALLERS_MAX) {
      this.#taken = new Map();
      this.#windowEndsMs = now + WINDOW_MS;
    }
    const taken = (this.#taken.get(caller) ?? 0) + 1;
    this.#taken.set(caller, taken);
    return taken <= this.#max ? 0 : Math.ceil((this.#windowEndsMs - now) / 1000);
  }
}

export interface Allowances {
  readonly address: Allowance;
  readonly signIn: Allowance;
  /** By the session that was found, not by the token that was sent: made-up tokens give no fresh allowance. */
  readonly session: Allowance;
  /** By the customer: a hundred sessions are still one. */
  readonly money: Allowance;
  readonly upload: Allowance;
}

export function openAllowances(limits: Limits, elapsedMs: Elapsed): Allowances {
  return {
    address: new Allowance(limits.requestsPerAddress, elapsedMs),
    signIn: new Allowance(limits.signInsPerAddress, elapsedMs),
    session: new Allowance(limits.requestsPerSession, elapsedMs),
    money: new Allowance(limits.moneyCallsPerCustomer, elapsedMs),
    upload: new Allowance(limits.uploadsPerCustomer, elapsedMs),
  };
}

/** Whom an address stands for: an IPv6 customer has a whole /64 to send from. `address` is plain, not IPv4 in IPv6. */
export function lineOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
