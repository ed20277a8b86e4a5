import { type Money, money } from '@sathorn/money';
import { type Queries, statement } from '../../platform/database/index.ts';

/** From this sum a first deposit is large, and a notable match raises an alarm. */
const LARGE = money('THB', 5_000_000n);
/** A day is unusual from this many times the matcher's usual sum, if it reaches the sum for two people. */
const UNUSUAL_DAYS = 3;

const NOTABLE = statement(
  'deposits.notable_matches',
  `SELECT * FROM (
     SELECT m.deposit, d.order_number, m.customer, m.matched_by, m.baht, m.at, NOT m.had_slip AS no_slip,
       m.baht >= $2 AND NOT EXISTS (SELECT FROM deposits.bank_match o WHERE o.customer = m.customer AND o.at < m.at) AS first_large,
       day.units >= greatest((SELECT l.two_people_from FROM deposits.match_limit l ORDER BY l.n DESC LIMIT 1), $3 * usual.units) AS unusual_day
     FROM deposits.bank_match m JOIN deposits.deposit d ON d.id = m.deposit
     CROSS JOIN LATERAL (SELECT sum(o.baht) AS units FROM deposits.bank_match o
       WHERE o.matched_by = m.matched_by AND o.at > m.at - interval '24 hours' AND o.at <= m.at) day
     CROSS JOIN LATERAL (SELECT coalesce(sum(o.baht), 0) / 30 AS units FROM deposits.bank_match o
       WHERE o.matched_by = m.matched_by AND o.at > m.at - interval '31 days' AND o.at <= m.at - interval '24 hours') usual
     WHERE m.at > clock_timestamp() - interval '24 hours' AND ($1::uuid IS NULL OR m.deposit = $1)
   ) found WHERE no_slip OR first_large OR unusual_day ORDER BY at DESC LIMIT 50`,
);
interface NotableRow {
  readonly deposit: string;
  readonly order_number: string;
  readonly customer: bigint;
  readonly matched_by: bigint;
  readonly baht: bigint;
  readonly at: Date;
  readonly no_slip: boolean;
  readonly first_large: boolean;
  readonly unusual_day: boolean;
}
type MatchMark = 'no_slip' | 'first_large' | 'unusual_day';
export type NotableMatch = Omit<NotableRow, MatchMark | 'baht'> & {
  readonly baht: Money<'THB'>;
  readonly marks: readonly MatchMark[];
};
const MARKS = ['no_slip', 'first_large', 'unusual_day'] as const;

/** Matches of the last day that deserve a review, newest first; with `deposit`, only its own. */
export async function readNotableMatches(queries: Queries, deposit: string | null = null): Promise<NotableMatch[]> {
  const rows = await queries.query<NotableRow>(NOTABLE, [deposit, LARGE.units, UNUSUAL_DAYS]);
  return rows.map((row) => ({ ...row, baht: money('THB', row.baht), marks: MARKS.filter((mark) => row[mark]) }));
}

/** Raises an alarm for a large match that deserves a review. */
export async function alarmIfNotable(queries: Queries, id: string, onFault: (error: unknown) => void): Promise<void> {
  for (const { order_number: number, baht, marks, matched_by: by } of await readNotableMatches(queries, id))
    if (baht.units >= LARGE.units || marks.includes('unusual_day'))
      onFault(
        new Error(`alarm: deposits: operator ${by} matched ${number} of ${baht.units} satang: ${marks.join(', ')}`),
      );
}
