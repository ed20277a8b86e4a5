import type { Elapsed } from '../clock.ts';
import { Buckets } from './buckets.ts';
import type { Limits } from './limits.ts';
import type { Network } from './networks.ts';

/** A caller may not spend a whole minute's calls at once: that would be a minute of our work in one go. */
const BURST_SHARE = 10;
/** An app that opens, or 52 pictures sent together, are no attack. */
const BURST_MIN = 100;

/** Calls per minute and caller. */
export class Allowance {
  readonly #buckets: Buckets;

  constructor(perMinute: number, elapsedMs: Elapsed) {
    const burst = Math.max(Math.min(perMinute, BURST_MIN), perMinute / BURST_SHARE);
    this.#buckets = new Buckets({ perSecond: perMinute / 60, burst }, elapsedMs);
  }

  /** Takes one: returns 0 when the caller had one left, otherwise the seconds until there is one. */
  take(callers: string | readonly Network[]): number {
    return Math.ceil(this.#buckets.take(callers) / 1_000);
  }
}

export interface Allowances {
  readonly address: Allowance;
  readonly signIn: Allowance;
  /** Counted by the session found, not by the token sent: invented tokens get no new allowance. */
  readonly session: Allowance;
  readonly operator: Allowance;
  readonly operatorSignIn: Allowance;
  /** Counted per customer: a hundred sessions share one allowance. */
  readonly money: Allowance;
  readonly upload: Allowance;
  /** Rows of public reads: the cost of a read grows with its rows, not with the number of calls. */
  readonly rows: Buckets;
}

export function openAllowances(limits: Limits, elapsedMs: Elapsed): Allowances {
  return {
    address: new Allowance(limits.requestsPerAddress, elapsedMs),
    signIn: new Allowance(limits.signInsPerAddress, elapsedMs),
    session: new Allowance(limits.requestsPerSession, elapsedMs),
    operator: new Allowance(limits.requestsPerOperator, elapsedMs),
    operatorSignIn: new Allowance(limits.operatorSignInsPerAddress, elapsedMs),
    money: new Allowance(limits.moneyCallsPerCustomer, elapsedMs),
    upload: new Allowance(limits.uploadsPerCustomer, elapsedMs),
    rows: new Buckets({ perSecond: limits.rowsPerSecond, burst: limits.rowsAtOnce }, elapsedMs),
  };
}
