/** Decides a withdrawal's cost and waiting time, whether a quote matches it, and whether its money may be held. */
import { add, formatMoney, isMore, type Money, type Rate, share } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';
import { isBelowMinimum, leftOfLimit } from './withdrawal-limits.ts';
import { type PeopleThresholds, peopleNeededFor } from './withdrawal-people.ts';

/** A fixed amount plus a share of the withdrawn amount. */
export interface WithdrawalFee {
  readonly fixed: Money<'USDT'>;
  readonly rate: Rate;
}
/** Rounded up, so the house never bears a remainder of its own costs. */
export const withdrawalFee = ({ fixed, rate }: WithdrawalFee, amount: Money<'USDT'>): Money<'USDT'> =>
  add(fixed, share(amount, rate, 'up'));

/** Returns the longest wait that is not over yet, or null. A shorter wait must never end a longer one. */
export function longestWait<Reason extends string>(
  waits: readonly (readonly [Reason, Date | null])[],
  now: Date,
): { readonly reason: Reason; readonly until: Date } | null {
  let longest: { readonly reason: Reason; readonly until: Date } | null = null;
  for (const [reason, until] of waits)
    if (until !== null && until > now && (longest === null || until > longest.until)) longest = { reason, until };
  return longest;
}

/** The terms that the customer saw and confirmed. */
interface QuotedWithdrawal {
  readonly channel: string;
  readonly payee: string;
  readonly amount: Money<'USDT'>;
}
/**
 * True if a quote is for exactly this withdrawal and still valid; `quote` is null if there is none. A code that
 * confirms the quote also confirms its payee, so another payee needs another quote.
 */
export const isQuoteFor = (
  quote: (QuotedWithdrawal & { readonly validUntil: Date }) | null,
  { channel, payee, amount }: QuotedWithdrawal,
  now: Date,
): boolean =>
  quote !== null &&
  quote.validUntil >= now &&
  quote.channel === channel &&
  quote.payee === payee &&
  quote.amount.units === amount.units;

/**
 * The questions that people vote on: pay the withdrawal; let the signer pay it beyond its budget; give an unsigned
 * payout back; record that the bank has paid or failed; declare that no block will ever contain a payout.
 */
export type VotedWithdrawal =
  | 'withdrawal'
  | 'payout_release'
  | 'payout_return'
  | 'withdrawal_paid'
  | 'withdrawal_failed'
  | 'withdrawal_lost';
/** True if a freeze of the customer stops this vote. It stops money that leaves, but not money that comes back. */
export const isStoppedByFreeze = (what: VotedWithdrawal, decision: 'approve' | 'reject'): boolean =>
  decision === 'approve' && (what === 'withdrawal' || what === 'payout_release');

export interface AskedWithdrawal {
  readonly amount: Money<'USDT'>;
  /** The amount after the fee, in the asset that is paid out. */
  readonly received: Money;
  /** The number of people who must approve, as the quote told the customer. */
  readonly people: number;
  readonly isFrozen: boolean;
  /** The withdrawal's address has, or had, a role on our side. */
  readonly isHouse: boolean;
  /** Another withdrawal has used its quote. */
  readonly isQuoteUsed: boolean;
  /** The sum of the customer's earlier requests today, including this batch. */
  readonly today: Money<'USDT'>;
  readonly dailyMax: Money<'USDT'>;
  readonly min: Money<'USDT'>;
  readonly available: Money<'USDT'>;
}
export type AskedWithdrawalRefusal =
  | 'account_frozen'
  | 'address_of_house'
  | 'quote_expired'
  | 'exceeds_daily_limit'
  | 'exceeds_balance'
  | 'below_minimum';

/**
 * Decides under the ledger's lock whether the amount is held, with checks in the order written here. Accepts with the
 * new sum of today's requests.
 */
export function decideWithdrawal(
  asked: AskedWithdrawal,
  thresholds: PeopleThresholds,
): Decision<Money<'USDT'>, AskedWithdrawalRefusal> {
  const { amount, received, today, dailyMax, min, available } = asked;
  const field = 'amount';
  if (asked.isFrozen) return refuse('account_frozen');
  if (asked.isHouse) return refuse('address_of_house', { field: 'target' });
  if (asked.isQuoteUsed) return refuse('quote_expired', { field: 'quote' });
  const sum = add(today, amount);
  if (isMore(sum, dailyMax))
    return refuse('exceeds_daily_limit', { field, params: { left: formatMoney(leftOfLimit(dailyMax, today)) } });
  if (isMore(amount, available)) return refuse('exceeds_balance', { field });
  // If money came in meanwhile, a request for the earlier whole balance no longer asks for all of it.
  if (isBelowMinimum({ amount, min, available, received }))
    return refuse('below_minimum', { field, params: { min: formatMoney(min) } });
  // Another withdrawal came first today, so this one needs more approvals than the quote said.
  if (peopleNeededFor(sum, thresholds) > asked.people) return refuse('quote_expired', { field: 'quote' });
  return accept(sum);
}
