import { add, type Money, money, type Price, RATE_ONE, type Rate, share, subtract } from '@sathorn/money';

export type OptionDirection = 'up' | 'down';

/** The terms agreed when the option was bought. Nothing later changes them. */
export interface OptionTerms {
  readonly direction: OptionDirection;
  readonly stake: Money<'USDT'>;
  /** The profit of a win as a share of the stake. */
  readonly payout: Rate;
  /** Handling fee as a share of a win's profit. */
  readonly feeRate: Rate;
  /** When the order takes effect, in ms since 1970: `ACCEPTED_AFTER_MS` after the decision. */
  readonly acceptedMs: number;
  readonly durationMs: number;
}

/** A stored index price: `atMs` in ms since 1970, `sequence` without gaps within a coin. */
export interface OptionTick {
  readonly sequence: bigint;
  readonly atMs: number;
  readonly price: Price;
  /** How late it was published, in ms, as its signed text says; absent if it was on time. */
  readonly lateMs?: number | undefined;
}

/**
 * The delay between the decision on an order and its acceptance. The index lags behind the markets by some tenths of a
 * second. Without the delay, a customer who watches the markets could predict the start price, and win more often than
 * the payout allows for.
 */
export const ACCEPTED_AFTER_MS = 1_000;

/** Ticks missing for longer than this, after the acceptance or before the end, make the order void. */
export const OPTION_GAP_MAX_MS = 3_000;

export function optionEndMs(terms: Pick<OptionTerms, 'acceptedMs' | 'durationMs'>): number {
  return terms.acceptedMs + terms.durationMs;
}

export interface OptionWin {
  readonly profit: Money<'USDT'>;
  readonly fee: Money<'USDT'>;
  /** Stake + profit − fee. */
  readonly credited: Money<'USDT'>;
}

/** Rounds like the ledger: down what the customer receives, up what the customer pays, by less than a unit. */
export function optionWinOf(stake: Money<'USDT'>, payout: Rate, feeRate: Rate): OptionWin {
  const profit = share(stake, payout, 'down');
  const fee = share(profit, feeRate, 'up');
  return { profit, fee, credited: subtract(add(stake, profit), fee) };
}

/** The largest stake whose profit is at most `profit`: floor(stake × payout) ≤ profit. */
export function largestStakeFor(profit: Money<'USDT'>, payout: Rate): Money<'USDT'> {
  return money('USDT', ((profit.units + 1n) * RATE_ONE - 1n) / payout);
}
