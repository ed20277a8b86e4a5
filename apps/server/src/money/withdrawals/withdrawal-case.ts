import type { listWithdrawalCases, ResultOf, WithdrawalCase } from '@sathorn/api';
import { add, formatMoney, isMore } from '@sathorn/money';
import type { VotedWithdrawal } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalRow } from '../../staff/operators/index.ts';
import { readPayoutWait } from './payout-waits.ts';
import { readSentPayouts, readWithdrawalHistory, type WithdrawalRow } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

type Item = ResultOf<typeof listWithdrawalCases>['items'][number];
const KINDS: readonly VotedWithdrawal[] = [
  'withdrawal',
  // Comes before a release, which the server may open while a return is waiting.
  'payout_return',
  'payout_release',
  'withdrawal_paid',
  'withdrawal_failed',
  'withdrawal_lost',
];

/** The open approval about this withdrawal; null if there is none. */
export async function findOpenApproval(
  { database, findWaiting }: WithdrawalsModule,
  id: string,
  queries: Queries = database,
): Promise<{ what: VotedWithdrawal; row: ApprovalRow } | null> {
  for (const what of KINDS) {
    const row = await findWaiting(queries, what, id);
    if (row) return { what, row };
  }
  return null;
}

/** Closes the approvals about an unsigned payout, once it is signed or its money is returned. */
export async function closeUnsignedApproval(
  { database, findWaiting, approvals }: WithdrawalsModule,
  id: string,
): Promise<void> {
  for (const what of ['payout_return', 'payout_release'] as const) {
    const open = await findWaiting(database, what, id);
    if (open) await database.transaction((transaction) => approvals.close(transaction, open.id, 'stale'));
  }
}

export async function viewWithdrawalItems(module: WithdrawalsModule, rows: readonly WithdrawalRow[]): Promise<Item[]> {
  const records = await module.viewsOf(rows);
  return Promise.all(
    rows.flatMap((row, n) => {
      const record = records[n];
      if (!record) return [];
      return [
        (async (): Promise<Item> => ({
          ...record,
          customer: { id: String(row.customer_id), username: await module.usernameOf(row.customer_id) },
          version: row.version,
          why: [
            ...(row.people > 0 ? (['amount'] as const) : []),
            ...(row.delay_reason !== null ? (['delay'] as const) : []),
          ],
        }))(),
      ];
    }),
  );
}

/** The withdrawal in the form that operators see, with all that the decision needs. */
export async function viewWithdrawalCase(
  module: WithdrawalsModule,
  row: WithdrawalRow,
  operator: OperatorSession,
): Promise<WithdrawalCase> {
  const { database, approvals, depositedOf } = module;
  const [[item], waiting, history, deposited, sent, wait] = await Promise.all([
    viewWithdrawalItems(module, [row]),
    findOpenApproval(module, row.id),
    readWithdrawalHistory(database, row),
    depositedOf(database, row.customer_id),
    readSentPayouts(database, [row.id]),
    readPayoutWait(database, row.id),
  ]);
  if (!item) throw new Error('a withdrawal has no view');
  const fingerprint = waiting?.row.fingerprint.toString('hex') ?? '';
  const frozen = await module.customers.readFrozen(database, [row.customer_id]);
  return {
    ...item,
    decision: waiting && {
      approval: waiting.row.id,
      what: waiting.what,
      fingerprint,
      need: waiting.row.need,
      made_by:
        waiting.row.made_by === null
          ? null
          : { id: String(waiting.row.made_by), work_name: waiting.row.made_by_name ?? '' },
      votes: waiting.row.votes.map(({ work_name, role, at }) => ({
        by: work_name,
        role,
        at: new Date(at).toISOString(),
      })),
      refusal: await approvals.refusalOf(database, { id: waiting.row.id, operator, fingerprint }),
    },
    waits: wait && { for: wait.waits_for, since: wait.since.toISOString() },
    checks: [
      { code: 'customer_not_frozen', ok: !frozen.has(row.customer_id), value: null },
      { code: 'no_delay', ok: row.delay_reason === null, value: row.delay_reason },
      { code: 'paid_before', ok: history.to_payee > 0, value: String(history.to_payee) },
      {
        code: 'covered_by_deposits',
        ok: !isMore(add(history.total, row.amount), deposited),
        value: formatMoney(deposited),
      },
      { code: 'question_answered', ok: row.question === null || row.answer !== null, value: null },
    ],
    history: {
      count: history.count,
      total: formatMoney(history.total),
      to_payee: history.to_payee,
      deposited: formatMoney(deposited),
    },
    attempts: sent.map(({ hash, nonce, at }) => ({ hash, nonce: String(nonce), at: at.toISOString() })),
  };
}
