import { accept, type Decision, refuse } from './decision.ts';

/** Units of THB. */
export interface MatchLimits {
  /** From this sum within 24 hours on a second person approves: by matcher, by customer, and of everybody together. */
  readonly twoPeopleFrom: bigint;
  /** What may be matched of a statement whose closing balance nobody has attested. */
  readonly unattestedMax: bigint;
}

export interface AskedMatch {
  /** Units of THB. */
  readonly baht: bigint;
  readonly operator: bigint;
  /** Who brought the line: of its first import and of its statement. Nobody for what a bank reported by itself. */
  readonly importers: readonly bigint[];
  /** The operator is the customer, or their inviter. */
  readonly isConcerned: boolean;
  /** Null for a line that was imported before there were statements: two people always match it. */
  readonly statement: {
    /** Signed by the bank, or attested by a second person. */
    readonly isProven: boolean;
    /** What was matched of it already. */
    readonly matched: bigint;
  } | null;
  /** What was matched by one person alone within 24 hours. */
  readonly alone: { readonly byMatcher: bigint; readonly byCustomer: bigint; readonly byDay: bigint };
}

/** A fresh proof of the operator's factor, or a second person's approval besides. */
export type MatchProof = 'step_up' | 'two_people';
export type MatchRuleRefusal = 'conflict_of_interest' | 'own_import' | 'statement_unattested';

/**
 * Decides whether this operator may match a line with a deposit, as the first or the second person, and which proof it
 * needs. Whoever imported the line never takes part: a line that one person invented must convince another one.
 */
export function decideMatch(
  { baht, operator, importers, isConcerned, statement, alone }: AskedMatch,
  { twoPeopleFrom, unattestedMax }: MatchLimits,
): Decision<MatchProof, MatchRuleRefusal> {
  if (isConcerned) return refuse('conflict_of_interest');
  if (importers.includes(operator)) return refuse('own_import', { field: 'line' });
  if (statement && !statement.isProven && statement.matched + baht > unattestedMax)
    return refuse('statement_unattested', { field: 'line' });
  const isLarge = [alone.byMatcher, alone.byCustomer, alone.byDay].some((sum) => sum + baht >= twoPeopleFrom);
  return accept(isLarge || statement === null ? 'two_people' : 'step_up');
}
