import { isMore, type Money, money, subtract } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

export type CorrectionKind = 'refund' | 'goodwill' | 'reverse';
/** The house's accounts that pay corrections or receive repayments. */
export type CorrectionHouse = 'house_capital' | 'options_pool' | 'fee_income' | 'goodwill';

/** The subject of a correction with the known facts about it. All amounts are in one asset. */
export interface AskedCorrection {
  readonly kind: CorrectionKind;
  readonly reason: string;
  /** Null for everything that is left to correct. */
  readonly amount: Money | null;
  /** Null for the account on the other side of the wrong transfer. */
  readonly house: CorrectionHouse | null;
  /** The wrong transfer: the moved amount, the part already corrected, and the house's account on its other side. */
  readonly wrong: {
    readonly amount: Money;
    readonly corrected: Money;
    /** True if it took from this customer's available balance (refund), or paid into it (reverse). */
    readonly isCustomers: boolean;
    readonly house: CorrectionHouse | null;
  } | null;
  /** A transfer on a network that the platform does not read. Bank money is matched with its order instead. */
  readonly lost: { readonly amount: Money; readonly corrected: Money; readonly isLost: boolean } | null;
  /** A receipt kept over a restoration, with the worth that `decideKept` computes. Nobody may change it. */
  readonly kept: { readonly amount: Money; readonly corrected: Money } | null;
}
interface DecidedCorrection {
  readonly amount: Money;
  readonly house: CorrectionHouse;
}
export type CorrectionRefusal =
  | 'transfer_required'
  | 'transfer_not_correctable'
  | 'deposit_not_lost'
  | 'kept_amount_fixed'
  | 'reason_mismatch'
  | 'amount_required'
  | 'amount_not_positive'
  | 'house_account_wrong'
  | 'already_corrected'
  | 'above_correction_cap';

/** The most that goodwill pays in one correction. */
export const GOODWILL_MAX = money('USDT', 200_000_000n);

const REASONS: Readonly<Record<CorrectionKind, readonly string[]>> = {
  refund: ['charged_twice', 'fee_wrong', 'settlement_fault', 'deposit_lost', 'kept_receipt'],
  goodwill: ['goodwill'],
  reverse: ['credited_wrongly', 'settlement_fault', 'reorg'],
};

/**
 * Decides how much a correction moves and which account of the house takes part. The correction of an error never moves
 * more than the error did, so nobody can choose an amount freely except for goodwill, which is small.
 */
export function decideCorrection({
  kind,
  reason,
  amount: asked,
  house: chosen,
  wrong,
  lost,
  kept,
}: AskedCorrection): Decision<DecidedCorrection, CorrectionRefusal> {
  const isAboutError = kind !== 'goodwill';
  const source = wrong ?? (kind === 'refund' ? (lost ?? kept) : null);
  if (isAboutError && source === null) return refuse('transfer_required', { field: 'transfer' });
  if (wrong && !(isAboutError && wrong.isCustomers)) return refuse('transfer_not_correctable', { field: 'transfer' });
  if (lost && (kind !== 'refund' || wrong || !lost.isLost)) return refuse('deposit_not_lost', { field: 'deposit' });
  if (kept && (kind !== 'refund' || wrong || lost)) return refuse('transfer_not_correctable', { field: 'kept' });
  const isOfSource = (reason === 'deposit_lost') === (lost !== null) && (reason === 'kept_receipt') === (kept !== null);
  if (!REASONS[kind].includes(reason) || !isOfSource) return refuse('reason_mismatch', { field: 'reason' });
  const left = source && subtract(source.amount, source.corrected);
  const amount = asked ?? left;
  if (amount === null) return refuse('amount_required', { field: 'amount' });
  if (left && left.units <= 0n) return refuse('already_corrected', { field: 'transfer' });
  if (kept && amount.units !== left?.units) return refuse('kept_amount_fixed', { field: 'amount' });
  if (amount.units <= 0n) return refuse('amount_not_positive', { field: 'amount' });
  if (left && isMore(amount, left)) return refuse('already_corrected', { field: 'amount' });
  if (!isAboutError && (amount.asset !== 'USDT' || isMore(amount, GOODWILL_MAX)))
    return refuse('above_correction_cap', { field: 'amount' });
  // Takes the account that gained by the error, or the house's capital. Goodwill is paid only from its own account.
  const own = wrong?.house ?? (kept ? 'options_pool' : 'house_capital');
  const house =
    chosen ?? (isAboutError ? (kind === 'refund' && own === 'goodwill' ? 'house_capital' : own) : 'goodwill');
  const isAllowed = isAboutError ? house === own || house === 'house_capital' : house === 'goodwill';
  if (!isAllowed || (kind === 'refund' && house === 'goodwill'))
    return refuse('house_account_wrong', { field: 'house' });
  return accept({ amount, house });
}
