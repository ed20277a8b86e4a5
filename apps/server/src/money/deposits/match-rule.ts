import {
  type Decision,
  decideMatch,
  type MatchLimits,
  type MatchProof,
  type MatchRuleRefusal,
} from '@sathorn/settlement';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { BankLineRow } from './bank-lines.ts';
import type { DepositRow } from './deposit-store.ts';

const LIMITS = statement(
  'deposits.match_limits',
  'SELECT two_people_from, unattested_max FROM deposits.match_limit ORDER BY n DESC LIMIT 1',
);
/** The published limits in force. */
export async function readMatchLimits(queries: Queries): Promise<MatchLimits> {
  const [row] = await queries.query<{ two_people_from: bigint; unattested_max: bigint }>(LIMITS);
  if (!row) throw new Error('no limits of matches');
  return { twoPeopleFrom: row.two_people_from, unattestedMax: row.unattested_max };
}

const LOCK = statement('deposits.lock_matches', "SELECT pg_advisory_xact_lock(hashtextextended('deposits.match', 0))");
/** Serialises matches, so that two at once count each other. Taken before any row, as the database does. */
export const lockMatches = async (transaction: Queries): Promise<void> => void (await transaction.query(LOCK));

const ALONE = statement(
  'deposits.matched_alone',
  'SELECT by_matcher, by_customer, by_day, deposits.is_concerned($1, $2) AS is_concerned FROM deposits.matched_alone($1, $2)',
);
const BEHIND = statement(
  'deposits.behind_line',
  'SELECT importers, is_known, is_proven, matched FROM deposits.behind_line($1)',
);
export interface MatchFacts {
  readonly customer: bigint;
  /** Units of THB: the line's, or the order's before a line is chosen. */
  readonly baht: bigint;
  readonly ordered: bigint;
  readonly hasEnded: boolean;
  readonly hasReference: boolean;
  readonly isTwin: boolean;
  /** Null before a line is chosen. */
  readonly line: string | null;
  readonly operator: bigint;
}
export function factsOf(order: DepositRow, line: BankLineRow | null, operator: bigint): MatchFacts {
  const ordered = order.baht ?? 0n;
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
/** The rule with what the database knows. The database refuses the same again below. */
export async function readMatchProof(
  queries: Queries,
  { customer, line, operator, ...order }: MatchFacts,
): Promise<Decision<MatchProof, MatchRuleRefusal>> {
  const [limits, [alone], [behind]] = await Promise.all([
    readMatchLimits(queries),
    queries.query<{ by_matcher: bigint; by_customer: bigint; by_day: bigint; is_concerned: boolean }>(ALONE, [
      operator,
      customer,
    ]),
    line === null
      ? [{ importers: [], is_known: true, is_proven: true, matched: 0n }]
      : queries.query<{ importers: bigint[]; is_known: boolean; is_proven: boolean; matched: bigint }>(BEHIND, [line]),
  ]);
  if (!alone || !behind) throw new Error(`bank line ${line} is gone`);
  return decideMatch(
    {
      ...order,
      operator,
      importers: behind.importers.map(BigInt),
      isConcerned: alone.is_concerned,
      statement: behind.is_known ? { isProven: behind.is_proven, matched: behind.matched } : null,
      alone: {
        byMatcher: alone.by_matcher,
        byCustomer: alone.by_customer,
        byDay: alone.by_day,
      },
    },
    limits,
  );
}
