/** Decides who bears a credited deposit that left the chain, and what is taken back from a customer. */
import { isMore, type Money, subtract, zero } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

/** What is there, up to what is asked; never less than nothing, so that no balance goes below zero. */
const upTo = <A extends Money>(asked: A, available: A): A => {
  const taken = isMore(asked, available) ? available : asked;
  return taken.units < 0n ? (zero(asked.asset) as A) : taken;
};

export interface Reversal {
  /** From the customer's available balance. */
  readonly taken: Money<'USDT'>;
  /** From the house's capital, because the customer has spent it. The customer owes it and is frozen meanwhile. */
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

/** What a customer pays back of a shortfall. */
export function decideRepayment(
  owed: Money<'USDT'>,
  available: Money<'USDT'>,
): Decision<Money<'USDT'>, 'exceeds_balance'> {
  const amount = upTo(owed, available);
  return amount.units <= 0n ? refuse('exceeds_balance') : accept(amount);
}

/** What an announced debit takes. It is not tried again for the rest. */
export const decideTaking = <A extends Money>(asked: A, available: A): A => upTo(asked, available);

/**
 * Tokens that came into the house's own wallet from another of its addresses: only as much as was booked as moved there
 * comes back from there, and the rest is added capital.
 */
export function splitHouseArrival(
  amount: Money<'USDT'>,
  movedThere: Money<'USDT'>,
): { readonly back: Money<'USDT'>; readonly capital: Money<'USDT'> } {
  const back = upTo(amount, movedThere);
  return { back, capital: subtract(amount, back) };
}
