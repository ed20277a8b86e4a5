import { type Queries, statement } from '../../platform/database/index.ts';

const APPROVAL = statement('withdrawals.read_lost_approval', 'SELECT withdrawals.lost_approval($1) AS id');
const KEEP = statement(
  'withdrawals.keep_lost',
  'INSERT INTO withdrawals.lost (withdrawal_id, approval, hash, height) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
);

/** The approval by which two people decided that no block will include the payout; null if there is none. */
export async function readLostApproval(queries: Queries, id: string): Promise<string | null> {
  const [row] = await queries.query<{ id: string | null }>(APPROVAL, [id]);
  return row?.id ?? null;
}

/**
 * Stores the evidence that another transaction used the payout's nonce. The database refuses it without the approval.
 */
export async function storeLostPayout(
  queries: Queries,
  lost: {
    readonly id: string;
    readonly approval: string;
    /** Null if the transaction is not one of ours. */
    readonly hash: string | null;
    readonly height: number;
  },
): Promise<void> {
  await queries.query(KEEP, [lost.id, lost.approval, lost.hash, lost.height]);
}
