/**
 * Decides whether a customer's own limits allow an order. The order counts with its whole stake, because its result is
 * not known yet, so a limit on losses holds whatever the outcome of open orders.
 */
import { formatDecimal } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

type LossPeriod = 'day' | 'week' | 'month';
export type PlayRefusal =
  | 'self_excluded'
  | 'time_out'
  | 'limit_time_day'
  | 'limit_stake_option'
  | 'limit_stake_day'
  | 'limit_loss_day'
  | 'limit_loss_week'
  | 'limit_loss_month';

/** In units of 10^-6 USDT; null for no limit. */
interface OwnLimits {
  readonly stakeOption: bigint | null;
  readonly stakeDay: bigint | null;
  readonly loss: Readonly<Record<LossPeriod, bigint | null>>;
  /** In minutes. */
  readonly timeDay: number | null;
}

export interface PlayStanding {
  readonly pause: { readonly kind: 'time_out' | 'self_exclusion'; readonly until: Date } | null;
  readonly limits: OwnLimits;
  readonly staked: bigint;
  /** Negative after a gain. */
  readonly lost: Readonly<Record<LossPeriod, bigint>>;
  readonly minutes: number;
  /** True if the current minute is already counted. */
  readonly isMinuteCounted: boolean;
  readonly ends: Readonly<Record<LossPeriod, Date>>;
}

const usdt = (units: bigint): string => formatDecimal(units < 0n ? 0n : units, 6);

/** Checks in the order written here. With `stake` 0n, only a pause or the time limit can refuse the order. */
export function decidePlay(stake: bigint, standing: PlayStanding): Decision<null, PlayRefusal> {
  const { pause, limits, staked, lost, minutes, isMinuteCounted, ends } = standing;
  const until = (period: LossPeriod): string => ends[period].toISOString();
  if (pause !== null) {
    const refusal = pause.kind === 'time_out' ? 'time_out' : 'self_excluded';
    return refuse(refusal, { params: { until: pause.until.toISOString() } });
  }
  if (limits.timeDay !== null && minutes + (isMinuteCounted ? 0 : 1) > limits.timeDay)
    return refuse('limit_time_day', { params: { wait: String(limits.timeDay * 60), until: until('day') } });
  if (stake === 0n) return accept(null);
  const field = 'quantity';
  if (limits.stakeOption !== null && stake > limits.stakeOption)
    return refuse('limit_stake_option', { field, params: { max: usdt(limits.stakeOption) } });
  if (limits.stakeDay !== null && staked + stake > limits.stakeDay)
    return refuse('limit_stake_day', {
      field,
      params: { max: usdt(limits.stakeDay), left: usdt(limits.stakeDay - staked), until: until('day') },
    });
  for (const period of ['day', 'week', 'month'] as const) {
    const max = limits.loss[period];
    if (max !== null && lost[period] + stake > max)
      return refuse(`limit_loss_${period}`, {
        field,
        params: { max: usdt(max), left: usdt(max - lost[period]), until: until(period) },
      });
  }
  return accept(null);
}
