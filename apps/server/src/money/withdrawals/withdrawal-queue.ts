import { type Queries, statement } from '../../platform/database/index.ts';
import { IS_UNRELEASED_SQL } from './withdrawal-store.ts';

export interface WaitingWithdrawals {
  readonly waiting: number;
  readonly overdue: number;
  readonly oldestAt: Date | null;
  readonly dueAt: Date | null;
}

/** Withdrawals that wait for an operator, ordered by the promised time. */
const QUEUE = statement(
  'withdrawals.queue',
  `SELECT count(*)::integer AS waiting, count(*) FILTER (WHERE promised_at < $1)::integer AS overdue,
     min(created_at) AS oldest, min(promised_at) AS due
   FROM withdrawals.withdrawal WHERE step IN ('first_check', 'second_check') OR (${IS_UNRELEASED_SQL})`,
);

export async function readWithdrawalQueue(queries: Queries, now: Date): Promise<WaitingWithdrawals> {
  const [row] = await queries.query<{ waiting: number; overdue: number; oldest: Date | null; due: Date | null }>(
    QUEUE,
    [now],
  );
  return {
    waiting: row?.waiting ?? 0,
    overdue: row?.overdue ?? 0,
    oldestAt: row?.oldest ?? null,
    dueAt: row?.due ?? null,
  };
}
