/** How often something may be tried. Pure: the state and the time come in, the new state or the wait goes out. */
export interface Allowance {
  readonly count: number;
  /** Times of the first and of the latest try that count. */
  readonly since: Date;
  readonly at: Date;
  readonly blockedUntil: Date | null;
}

/** At most `max` in a window that opens with the first. */
export interface Budget {
  readonly kind: 'budget';
  readonly max: number;
  readonly windowMs: number;
}

export type AllowanceRule =
  /**
   * Tries up to `free` cost nothing; from then on each doubles the wait before the next. Forgotten after a quiet time.
   */
  | {
      readonly kind: 'growing_delay';
      readonly free: number;
      readonly firstMs: number;
      readonly maxMs: number;
      readonly forgetMs: number;
    }
  | Budget;

const isForgotten = (state: Allowance, rule: AllowanceRule, now: Date): boolean =>
  rule.kind === 'budget'
    ? now.getTime() - state.since.getTime() >= rule.windowMs
    : now.getTime() - state.at.getTime() >= rule.forgetMs && (state.blockedUntil?.getTime() ?? 0) <= now.getTime();

/** Milliseconds until the next try is allowed; 0 when it is now. */
export function waitOf(state: Allowance | null, rule: AllowanceRule, now: Date): number {
  if (state === null || isForgotten(state, rule, now)) return 0;
  if (rule.kind === 'growing_delay') return Math.max(0, (state.blockedUntil?.getTime() ?? 0) - now.getTime());
  return state.count < rule.max ? 0 : state.since.getTime() + rule.windowMs - now.getTime();
}

/** The state after one more try. Ask `waitOf` first. */
export function afterTry(state: Allowance | null, rule: AllowanceRule, now: Date): Allowance {
  const known = state === null || isForgotten(state, rule, now) ? null : state;
  const count = (known?.count ?? 0) + 1;
  const since = known?.since ?? now;
  if (rule.kind === 'budget') return { count, since, at: now, blockedUntil: null };
  // Beyond 2^20 the maximum has long been reached.
  const delayMs = count < rule.free ? 0 : Math.min(rule.firstMs * 2 ** Math.min(count - rule.free, 20), rule.maxMs);
  return { count, since, at: now, blockedUntil: delayMs === 0 ? null : new Date(now.getTime() + delayMs) };
}
