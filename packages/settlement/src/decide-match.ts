import { add, isMore, type Money, money } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

export interface MatchLimits {
  /** From this sum within 24 hours on a second person approves: by matcher, by customer, and of everybody together. */
  readonly twoPeopleFrom: Money<'THB'>;
  /** The most that may be matched of a statement whose closing balance nobody has attested. */
  readonly unattestedMax: Money<'THB'>;
}

export interface AskedMatch {
  /** The baht that arrived, by the line. */
  readonly baht: Money<'THB'>;
  /** The baht that the order asked for. */
  readonly ordered: Money<'THB'>;
  /** The order was given up before its money was found. */
  readonly hasEnded: boolean;
  /** The payer entered the order's own reference. */
  readonly hasReference: boolean;
  /** Another line of its account and day has the same number of the bank. */
  readonly isTwin: boolean;
  readonly operator: bigint;
  /** Who brought the line: of its first import and of its statement. Nobody for what a bank reported by itself. */
  readonly importers: readonly bigint[];
  /** The operator is the customer, or their inviter. */
  readonly isConcerned: boolean;
  /** Null for a line that was imported before there were statements: two people always match it. */
  readonly statement: {
    /** Signed by the bank, or attested by a second person. */
    readonly isProven: boolean;
    /** The sum of its lines that were matched already. */
    readonly matched: Money<'THB'>;
  } | null;
  /** The sums that one person alone matched within 24 hours. */
  readonly alone: Readonly<Record<'byMatcher' | 'byCustomer' | 'byDay', Money<'THB'>>>;
}

/** A fresh proof of the operator's factor, or a second person's approval besides. */
export type MatchProof = 'step_up' | 'two_people';
export type MatchRuleRefusal = 'conflict_of_interest' | 'own_import' | 'statement_unattested';

/**
 * Decides whether this operator may match a line with a deposit, as the first or the second person, and which proof it
 * needs. Whoever imported the line never takes part: a line that one person invented must convince another one. A line
 * that agrees with its order neither in amount nor in reference, or shares its number, is matched by two people.
 */
export function decideMatch(
  { baht, ordered, hasEnded, hasReference, isTwin, operator, importers, isConcerned, statement, alone }: AskedMatch,
  { twoPeopleFrom, unattestedMax }: MatchLimits,
): Decision<MatchProof, MatchRuleRefusal> {
  if (isConcerned) return refuse('conflict_of_interest');
  if (importers.includes(operator)) return refuse('own_import', { field: 'line' });
  if (statement && !statement.isProven && isMore(add(statement.matched, baht), unattestedMax))
    return refuse('statement_unattested', { field: 'line' });
  const isLarge = [alone.byMatcher, alone.byCustomer, alone.byDay].some(
    (sum) => !isMore(twoPeopleFrom, add(sum, baht)),
  );
  const isDoubtful = hasEnded || isTwin || (baht.units !== ordered.units && !hasReference);
  return accept(isLarge || isDoubtful || statement === null ? 'two_people' : 'step_up');
}

/** What a match credits, by the line: the order's rate holds for money that came in time, whatever its amount. */
export interface MatchTerms {
  readonly amount: Money<'USDT'>;
  /** Units of 10^-6 THB for a USDT. */
  readonly rate: bigint;
}

/** Rounded down: the house keeps the remainder. */
export const usdtForBaht = ({ units }: Money<'THB'>, rate: bigint): Money<'USDT'> =>
  money('USDT', (units * 10n ** 10n) / rate);

/** `today` is the rate of the day; null while nobody knows one, and then late money waits. */
export function decideMatchTerms({
  baht,
  isInTime,
  ordered,
  today,
}: {
  readonly baht: Money<'THB'>;
  readonly isInTime: boolean;
  readonly ordered: bigint;
  readonly today: bigint | null;
}): Decision<MatchTerms, 'rate_unknown'> {
  const rate = isInTime ? ordered : today;
  return rate === null ? refuse('rate_unknown') : accept({ amount: usdtForBaht(baht, rate), rate });
}
