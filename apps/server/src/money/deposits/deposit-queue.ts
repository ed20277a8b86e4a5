import { type Queries, statement } from '../../platform/database/index.ts';

/** How soon finance promises to check a slip. The app shows the customer the same time. */
const PROMISED_MINUTES = 30;
const QUEUE = statement(
  'deposits.queue',
  `SELECT count(*)::integer AS waiting, count(*) FILTER (WHERE created_at < $1)::integer AS overdue, min(created_at) AS oldest
   FROM deposits.deposit WHERE step = 'in_review'`,
);

/** Slips that nobody has matched yet. */
export async function readDepositQueue(queries: Queries, now: Date) {
  const promisedMs = PROMISED_MINUTES * 60_000;
  const [row] = await queries.query<{ waiting: number; overdue: number; oldest: Date | null }>(QUEUE, [
    new Date(now.getTime() - promisedMs),
  ]);
  const oldestAt = row?.oldest ?? null;
  return {
    waiting: row?.waiting ?? 0,
    overdue: row?.overdue ?? 0,
    oldestAt,
    dueAt: oldestAt && new Date(oldestAt.getTime() + promisedMs),
  };
}
