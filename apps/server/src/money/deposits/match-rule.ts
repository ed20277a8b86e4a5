import { type Money, zero } from '@sathorn/money';
import {
  type AskedMatch,
  type Decision,
  decideMatch,
  type MatchLimits,
  type MatchProof,
  type MatchRuleRefusal,
} from '@sathorn/settlement';
import { column, type Queries, statement, table } from '../../platform/database/index.ts';
import type { BankLineRow } from './bank-lines.ts';
import type { DepositRow } from './deposit-store.ts';

const thb = column.money('THB');
const LIMITS = table<MatchLimits>({ twoPeopleFrom: thb, unattestedMax: thb });
const READ_LIMITS = statement(
  'deposits.match_limits',
  `SELECT ${LIMITS.names} FROM deposits.match_limit ORDER BY n DESC LIMIT 1`,
);
/** The published limits in force. */
export async function readMatchLimits(queries: Queries): Promise<MatchLimits> {
  const [row] = await LIMITS.query(queries, READ_LIMITS);
  if (!row) throw new Error('no limits of matches');
  return row;
}

const LOCK = statement('deposits.lock_matches', "SELECT pg_advisory_xact_lock(hashtextextended('deposits.match', 0))");
/** Serialises matches, so that two at once count each other. The lock comes before any row, as in the database. */
export const lockMatches = async (transaction: Queries): Promise<void> => void (await transaction.query(LOCK));

const ALONE = table<AskedMatch['alone'] & Pick<AskedMatch, 'isConcerned'>>({
  byMatcher: thb,
  byCustomer: thb,
  byDay: thb,
  isConcerned: column.computed('deposits.is_concerned($1, $2)', column.boolean),
});
const READ_ALONE = statement('deposits.matched_alone', `SELECT ${ALONE.names} FROM deposits.matched_alone($1, $2)`);
const BEHIND = table<{ importers: readonly string[]; isKnown: boolean; isProven: boolean; matched: Money<'THB'> }>({
  importers: column.list('importers'),
  isKnown: column.boolean,
  isProven: column.boolean,
  matched: thb,
});
const READ_BEHIND = statement('deposits.behind_line', `SELECT ${BEHIND.names} FROM deposits.behind_line($1)`);
interface MatchFacts {
  readonly customer: bigint;
  /** The line's amount, or the order's before a line is chosen. */
  readonly baht: Money<'THB'>;
  readonly ordered: Money<'THB'>;
  readonly hasEnded: boolean;
  readonly hasReference: boolean;
  readonly isTwin: boolean;
  /** Null before a line is chosen. */
  readonly line: string | null;
  readonly operator: bigint;
}
export function matchFactsOf(order: DepositRow, line: BankLineRow | null, operator: bigint): MatchFacts {
  const ordered = order.baht ?? zero('THB');
  return {
    customer: order.customer_id,
    baht: line?.amount ?? ordered,
    ordered,
    hasEnded: order.finished_at !== null,
    hasReference: line === null || line.reference === order.reference,
    isTwin: line !== null && line.twin > 0,
    line: line?.id ?? null,
    operator,
  };
}
/** Evaluates the rule with what the database knows. The database then checks the same rule again. */
export async function readMatchProof(
  queries: Queries,
  { customer, line, operator, ...order }: MatchFacts,
): Promise<Decision<MatchProof, MatchRuleRefusal>> {
  const [limits, [alone], [behind]] = await Promise.all([
    readMatchLimits(queries),
    ALONE.query(queries, READ_ALONE, [operator, customer]),
    line === null
      ? [{ importers: [], isKnown: true, isProven: true, matched: zero('THB') }]
      : BEHIND.query(queries, READ_BEHIND, [line]),
  ]);
  if (!alone || !behind) throw new Error(`bank line ${line} is gone`);
  return decideMatch(
    {
      ...order,
      operator,
      importers: behind.importers.map(BigInt),
      isConcerned: alone.isConcerned,
      statement: behind.isKnown ? behind : null,
      alone,
    },
    limits,
  );
}
