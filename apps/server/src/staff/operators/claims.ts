import { type Queries, statement } from '../../platform/database/index.ts';

/** The console renews a claim; the claim lapses this long after the last renewal. */
const CLAIM_SECONDS = 120;

export interface ClaimRow {
  readonly kind: string;
  readonly subject: string;
  readonly operator: bigint;
  readonly work_name: string;
  readonly since: Date;
  readonly until: Date;
}

const UNTIL = `c.kept_at + make_interval(secs => ${CLAIM_SECONDS})`;
const COLUMNS = `c.kind, c.subject, c.operator, o.work_name, c.since, ${UNTIL} AS until`;
const list = statement(
  'operators.list_claims',
  `SELECT ${COLUMNS} FROM operators.claim c JOIN operators.operator o ON o.id = c.operator WHERE ${UNTIL} > $1 ORDER BY c.since`,
);
// If two operators claim at once, the second sees the first one's row and takes it only if it has lapsed.
const take = statement(
  'operators.take_claim',
  `WITH taken AS (
     INSERT INTO operators.claim AS c (kind, subject, operator, since, kept_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (kind, subject) DO UPDATE SET
       operator = CASE WHEN $5 OR c.operator = $3 OR ${UNTIL} <= $4 THEN $3 ELSE c.operator END,
       since = CASE WHEN c.operator <> $3 AND ($5 OR ${UNTIL} <= $4) THEN $4 ELSE c.since END,
       kept_at = CASE WHEN $5 OR c.operator = $3 OR ${UNTIL} <= $4 THEN $4 ELSE c.kept_at END
     RETURNING kind, subject, operator, since, kept_at)
   SELECT ${COLUMNS} FROM taken c JOIN operators.operator o ON o.id = c.operator`,
);
const leave = statement(
  'operators.leave_claim',
  'DELETE FROM operators.claim WHERE kind = $1 AND subject = $2 AND operator = $3',
);

export const viewClaim = ({ operator, work_name, since, until }: ClaimRow) => ({
  by: { id: String(operator), work_name },
  since: since.toISOString(),
  until: until.toISOString(),
});

export function listClaimRows(queries: Queries, now: Date): Promise<ClaimRow[]> {
  return queries.query<ClaimRow>(list, [now]);
}

/** Returns the claim that is now valid: this operator's, or the other holder's. */
export async function takeClaimRow(
  queries: Queries,
  claim: { readonly kind: string; readonly id: string; readonly operator: bigint; readonly isByForce: boolean },
  now: Date,
): Promise<ClaimRow> {
  const [row] = await queries.query<ClaimRow>(take, [claim.kind, claim.id, claim.operator, now, claim.isByForce]);
  if (!row) throw new Error('a claim was not answered');
  return row;
}

export async function leaveClaimRow(queries: Queries, kind: string, id: string, operator: bigint): Promise<void> {
  await queries.query(leave, [kind, id, operator]);
}
