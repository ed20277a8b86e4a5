/** Decides whether a customer may have a lost option void that a late price settled. Its stake goes back then. */
import { add, isMore, type Money } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

/** A start or end price that was published later than this, in ms, gives the customer the choice. */
export const LATE_VOID_OVER_MS = 5_000;
/** How long after the settlement the customer has the choice. */
export const LATE_VOID_WITHIN_MS = 7 * 86_400_000;

export interface SettledOption {
  readonly status: 'holding' | 'won' | 'lost' | 'tie' | 'void' | 'sold';
  readonly stake: Money<'USDT'>;
  /** The fee that the settlement took. */
  readonly fee: Money<'USDT'>;
  /** How late the start and end price were published, in ms; 0 if on time. */
  readonly startLateMs: number;
  readonly endLateMs: number;
  /** Null while the option runs. */
  readonly settledMs: number | null;
  /** True once its customer had it void. */
  readonly isVoided: boolean;
  /** True if people corrected the loss already, or propose to. */
  readonly isCorrected: boolean;
}

export type VoidRefusal =
  | 'order_unknown'
  | 'order_not_settled'
  | 'already_void'
  | 'order_not_lost'
  | 'prices_not_late'
  | 'void_too_late'
  | 'loss_corrected'
  | 'pool_short';

/** The last moment at which the customer may have the option void, in ms since 1970; null if that is not possible. */
export function voidUntilOf(order: Omit<SettledOption, 'stake' | 'fee' | 'isCorrected'>): number | null {
  const isLate = Math.max(order.startLateMs, order.endLateMs) > LATE_VOID_OVER_MS;
  if (order.status !== 'lost' || order.settledMs === null || order.isVoided || !isLate) return null;
  return order.settledMs + LATE_VOID_WITHIN_MS;
}

/**
 * Returns the amount that goes back. `order` is undefined for a customer who has no such order. Only a lost option can
 * be had void: whoever published late chose the price after the fact, and may have chosen it against the customer.
 */
export function decideVoid({
  order,
  nowMs,
  poolAvailable,
}: {
  readonly order: SettledOption | undefined;
  readonly nowMs: number;
  readonly poolAvailable: Money<'USDT'>;
}): Decision<Money<'USDT'>, VoidRefusal> {
  if (order === undefined) return refuse('order_unknown', { field: 'id' });
  if (order.status === 'holding' || order.settledMs === null) return refuse('order_not_settled');
  if (order.isVoided || order.status === 'void') return refuse('already_void');
  if (order.status !== 'lost') return refuse('order_not_lost');
  const until = voidUntilOf(order);
  if (until === null) return refuse('prices_not_late');
  if (nowMs > until) return refuse('void_too_late');
  if (order.isCorrected) return refuse('loss_corrected');
  const amount = add(order.stake, order.fee);
  return isMore(amount, poolAvailable) ? refuse('pool_short') : accept(amount);
}
