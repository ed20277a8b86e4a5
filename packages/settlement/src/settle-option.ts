/**
 * Computes an option's outcome from its terms and the stored ticks alone, so everybody computes the same at any time.
 *
 * - Start: the first tick after the acceptance. End: the last tick at or before acceptance + duration.
 * - A gap of more than 3 s without a tick, after the acceptance or before the end, makes the order void, so that it is
 *   never settled on an old price.
 * - A tie and a void return exactly the stake. A win never pays more than was held at the purchase.
 */
import { type Money, subtract, zero } from '@sathorn/money';
import { OPTION_GAP_MAX_MS, type OptionTerms, type OptionTick, optionEndMs, optionWinOf } from './option-terms.ts';

type OptionOutcome = 'won' | 'lost' | 'tie' | 'void';
type VoidReason = 'no_start_tick' | 'no_end_tick';

export interface OptionSettlement {
  readonly outcome: OptionOutcome;
  /** Why the order is void; otherwise null. */
  readonly reason: VoidReason | null;
  /** Before the fee: the gain of a win, minus the stake for a loss, otherwise 0. */
  readonly profit: Money<'USDT'>;
  readonly fee: Money<'USDT'>;
  /** The customer's total credit: stake + profit − fee for a win, nothing for a loss, otherwise the stake. */
  readonly credited: Money<'USDT'>;
  /** The deciding ticks; null for a missing one. */
  readonly start: OptionTick | null;
  readonly end: OptionTick | null;
}

/** The first tick after the acceptance. Expects ticks in order of sequence. */
export function startTickOf(terms: OptionTerms, ticks: readonly OptionTick[]): OptionTick | null {
  return ticks[countUntil(ticks, terms.acceptedMs)] ?? null;
}

/** The last tick at or before the end. Expects ticks in order of sequence. */
export function endTickOf(terms: OptionTerms, ticks: readonly OptionTick[]): OptionTick | null {
  return ticks[countUntil(ticks, optionEndMs(terms)) - 1] ?? null;
}

/** The number of ticks at or before the time. */
function countUntil(ticks: readonly OptionTick[], timeMs: number): number {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const tick = ticks[middle];
    if (tick !== undefined && tick.atMs <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * `start` is the first tick after the acceptance and `end` the last one at or before the end; null where there is none.
 * Throws for any other pair, because that is a bug and no money may move on it.
 */
export function settleOption(terms: OptionTerms, start: OptionTick | null, end: OptionTick | null): OptionSettlement {
  const endMs = optionEndMs(terms);
  if (start !== null && start.atMs <= terms.acceptedMs)
    throw new RangeError('the start tick is not after the acceptance');
  if (end !== null && end.atMs > endMs) throw new RangeError('the end tick is after the end');

  if (start === null || start.atMs - terms.acceptedMs > OPTION_GAP_MAX_MS)
    return giveBack(terms, 'no_start_tick', null);
  if (end === null || endMs - end.atMs > OPTION_GAP_MAX_MS) return giveBack(terms, 'no_end_tick', start);
  if (end.sequence < start.sequence) throw new RangeError('the end tick is before the start tick');

  const decided = { reason: null, start, end };
  if (end.price === start.price)
    return { ...decided, outcome: 'tie', profit: zero('USDT'), fee: zero('USDT'), credited: terms.stake };
  const wentUp = end.price > start.price;
  if (wentUp === (terms.direction === 'up'))
    return { ...decided, outcome: 'won', ...optionWinOf(terms.stake, terms.payout, terms.feeRate) };
  return { ...decided, outcome: 'lost', profit: negative(terms.stake), fee: zero('USDT'), credited: zero('USDT') };
}

function giveBack(terms: OptionTerms, reason: VoidReason, start: OptionTick | null): OptionSettlement {
  return { outcome: 'void', reason, profit: zero('USDT'), fee: zero('USDT'), credited: terms.stake, start, end: null };
}

function negative(amount: Money<'USDT'>): Money<'USDT'> {
  return subtract(zero('USDT'), amount);
}
