/** Decides who bears a credited deposit that left the chain, and how much the customer pays back. */
import { isMore, type Money, subtract, zero } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

/** The available part of the asked amount; never negative, so no balance goes below zero. */
const upTo = <A extends Money>(asked: A, available: A): A => {
  const taken = isMore(asked, available) ? available : asked;
  return taken.units < 0n ? (zero(asked.asset) as A) : taken;
};

interface Reversal {
  /** Taken from the customer's available balance. */
  readonly taken: Money<'USDT'>;
  /** Paid by the house's capital, because the customer has spent it. The customer owes it and stays frozen. */
  readonly shortfall: Money<'USDT'>;
}
export function decideReversal({
  amount,
  available,
  capital,
}: {
  readonly amount: Money<'USDT'>;
  readonly available: Money<'USDT'>;
  readonly capital: Money<'USDT'>;
}): Decision<Reversal, 'house_short'> {
  const taken = upTo(amount, available);
  const shortfall = subtract(amount, taken);
  return isMore(shortfall, capital) ? refuse('house_short') : accept({ taken, shortfall });
}

/** Returns how much of a shortfall a customer pays back now. */
export function decideRepayment(
  owed: Money<'USDT'>,
  available: Money<'USDT'>,
): Decision<Money<'USDT'>, 'exceeds_balance'> {
  const amount = upTo(owed, available);
  return amount.units <= 0n ? refuse('exceeds_balance') : accept(amount);
}

/** Returns how much an announced debit takes. The rest is not taken later. */
export const decideDebit = <A extends Money>(asked: A, available: A): A => upTo(asked, available);

/**
 * Splits tokens that reached the house's own wallet from another of its addresses. At most the amount that was booked
 * as moved there counts as a return; the rest is added capital.
 */
export function splitHouseArrival(
  amount: Money<'USDT'>,
  movedThere: Money<'USDT'>,
): { readonly back: Money<'USDT'>; readonly capital: Money<'USDT'> } {
  const back = upTo(amount, movedThere);
  return { back, capital: subtract(amount, back) };
}
