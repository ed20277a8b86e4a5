import { add, isMore, type Money, money } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';

export interface MatchLimits {
  /** A second person must approve from this sum in 24 hours, which is taken per matcher, per customer and in total. */
  readonly twoPeopleFrom: Money<'THB'>;
  /** The most that may be matched from a statement whose closing balance nobody has attested. */
  readonly unattestedMax: Money<'THB'>;
}

export interface AskedMatch {
  /** The baht that arrived, according to the bank's line. */
  readonly baht: Money<'THB'>;
  /** The baht that the order asked for. */
  readonly ordered: Money<'THB'>;
  /** The order was given up before its money arrived. */
  readonly hasEnded: boolean;
  /** The payer entered the order's own reference. */
  readonly hasReference: boolean;
  /** Another line of the same account and day has the same bank number. */
  readonly isTwin: boolean;
  readonly operator: bigint;
  /** The people who first imported the line or imported its statement; empty if the bank reported it directly. */
  readonly importers: readonly bigint[];
  /** The operator is the customer, or their inviter. */
  readonly isConcerned: boolean;
  /** Null for a line that was imported before there were statements: two people always match it. */
  readonly statement: {
    /** Signed by the bank, or attested by a second person. */
    readonly isProven: boolean;
    /** The sum of its lines that are already matched. */
    readonly matched: Money<'THB'>;
  } | null;
  /** The sums matched by one person alone within 24 hours. */
  readonly alone: Readonly<Record<'byMatcher' | 'byCustomer' | 'byDay', Money<'THB'>>>;
}

/** The operator's fresh proof of a factor, or also a second person's approval. */
export type MatchProof = 'step_up' | 'two_people';
export type MatchRuleRefusal = 'conflict_of_interest' | 'own_import' | 'statement_unattested';

/**
 * Decides whether this operator may match a line with a deposit, as the first or the second person, and which proof is
 * needed. The importers of a line never take part, so nobody can invent a line and match it alone. Two people match a
 * line that shares its number, or that has neither its order's amount nor its reference.
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

/** The credit of a match. Money that arrived in time has the order's rate, whatever its amount. */
export interface MatchTerms {
  readonly amount: Money<'USDT'>;
  /** Units of 10^-6 THB per USDT. */
  readonly rate: bigint;
}

/** Rounded down: the house keeps the remainder. */
export const usdtForBaht = ({ units }: Money<'THB'>, rate: bigint): Money<'USDT'> =>
  money('USDT', (units * 10n ** 10n) / rate);

/** `today` is the rate of the day; null if it is unknown, and then late money waits. */
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
