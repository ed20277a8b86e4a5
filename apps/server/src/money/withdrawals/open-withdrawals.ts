import type { WithdrawalRecord } from '@sathorn/api';
import type { Flow, PayoutStop } from '@sathorn/settlement';
import type { Movement, MovementList } from '../../people/customers/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { customerTopic, onAnyClock } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import { accountForTransactionHandler, foreignKind } from './account-for-transaction.ts';
import { answerWithdrawalHandler } from './answer-withdrawal.ts';
import { approveWithdrawalHandler, openDecider } from './approve-withdrawal.ts';
import { askCustomerHandler } from './ask-customer.ts';
import { cancelWithdrawalHandler } from './cancel-withdrawal.ts';
import { endRestorationHandler, restorationKind } from './end-restoration.ts';
import { exportBankPaymentsHandler } from './export-bank-payments.ts';
import { giveBackPayoutHandler } from './give-back-payout.ts';
import { listWithdrawalCasesHandler } from './list-withdrawal-cases.ts';
import { listWithdrawalRatesHandler } from './list-withdrawal-rates.ts';
import { notifyOwner } from './notify-owner.ts';
import { openRestoration } from './open-restoration.ts';
import { readPayoutStop } from './payout-waits.ts';
import { quoteWithdrawalHandler } from './quote-withdrawal.ts';
import { readRestorationHandler } from './read-restoration.ts';
import { readWithdrawalCaseHandler } from './read-withdrawal-case.ts';
import { reconcileWithdrawalHandler } from './reconcile-withdrawal.ts';
import { rejectWithdrawalHandler } from './reject-withdrawal.ts';
import { reportBankFailureHandler } from './report-bank-failure.ts';
import { reportBankPaymentHandler } from './report-bank-payment.ts';
import { reportLostPayoutHandler } from './report-lost-payout.ts';
import { requestWithdrawalHandler } from './request-withdrawal.ts';
import { readRestoration } from './restoration-store.ts';
import { runWithdrawals } from './track-payouts.ts';
import { passKind, requestKind } from './withdrawal-kinds.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';
import {
  countLatePayouts,
  listWithdrawals,
  type PaymentTimes,
  readOpenWithdrawals,
  readOutflows,
  readOwnWithdrawal,
  readPaymentHours,
  readWithdrawals,
  readWithdrawalTimes,
  type WithdrawalRow,
  type WithdrawalTimes,
} from './withdrawal-store.ts';
import { withdrawalRecordOf } from './withdrawal-view.ts';

export interface Withdrawals extends MovementList<WithdrawalRecord> {
  /** What left or is about to, with its times. */
  outflows(queries: Queries, customer: bigint): Promise<Flow[]>;
  /** How long withdrawals since then took, and how many wait now. */
  times(since: Date, now: Date): Promise<WithdrawalTimes>;
  /** Times by hour, oldest first, then those of the whole time; empty without a payment. */
  paymentHours(since: Date): Promise<readonly (PaymentTimes & { readonly hour: Date | null })[]>;
  /** Payouts that should be signed by now and are not, or were sent long ago and are in no block. */
  countLatePayouts(now: Date): Promise<number>;
  /** The reason why no payout is signed at the moment; null while payouts go on. */
  payoutStop(): Promise<PayoutStop | null>;
  /** What two people decide about a transaction that was sent with the house's key and not by the signer. */
  readonly foreignKind: ApprovalKind;
  /** What two people decide once the books are reconciled with the chain after a restoration. */
  readonly restorationKind: ApprovalKind;
}

export type WithdrawalsDependencies = Omit<WithdrawalRoom, 'viewsOf' | 'changed' | 'kinds' | 'heldSince'> & {
  readonly messages: Pick<Messages, 'send'>;
  /** The newest block read from a chain. */
  readonly headOf: (chain: string) => Promise<bigint | null>;
  /** Who has voted on these approvals, by work name. */
  readonly votesOf: (approvals: readonly string[]) => Promise<ReadonlyMap<string, WithdrawalRecord['approvals']>>;
};

export function openWithdrawals(dependencies: WithdrawalsDependencies): Module<Withdrawals> {
  const { database, bus, chain, clock, messages, sealer, headOf, votesOf, onFault } = dependencies;

  const heldSince: WithdrawalRoom['heldSince'] = async (queries) => (await readRestoration(queries))?.since ?? null;
  const viewsOf: WithdrawalRoom['viewsOf'] = async (rows) => {
    if (rows.length === 0) return [];
    const [head, votes, since] = await Promise.all([
      chain ? headOf(chain.config.code) : null,
      votesOf(rows.flatMap(({ approval }) => approval ?? [])),
      heldSince(database),
    ]);
    return rows.map((row) =>
      withdrawalRecordOf(row, {
        chain: chain?.config ?? null,
        sealer,
        head,
        isHeld: since !== null,
        approvals: votes.get(row.approval ?? '') ?? [],
      }),
    );
  };
  const changed: WithdrawalRoom['changed'] = async (ids) => {
    const rows = await readWithdrawals(database, [...new Set(ids)]);
    const records = await viewsOf(rows);
    rows.forEach(({ customer_id: owner }, n) => {
      const record = records[n];
      if (record) bus.emit('withdrawals', { owner, data: [record] });
    });
    rows.forEach((row) => {
      notifyOwner(messages, row, clock.now()).catch(onFault);
    });
  };
  const { lockFrozen } = dependencies.customers;
  const kinds = { request: requestKind(lockFrozen), pass: passKind(lockFrozen) };
  const room: WithdrawalRoom = { ...dependencies, viewsOf, changed, kinds, heldSince };
  const restoration = openRestoration(room);

  const decider = openDecider(room);
  const movementsOf = async (rows: readonly WithdrawalRow[]): Promise<Movement<WithdrawalRecord>[]> => {
    const records = await viewsOf(rows);
    return rows.flatMap(({ created_at: at, fee_hold, hold }, n) => {
      const record = records[n];
      // The fee's transfer is posted after the amount's, so its record has the balance after both.
      return record ? { record, at, journal: null, hold: fee_hold ?? hold } : [];
    });
  };
  const api: Withdrawals = {
    outflows: readOutflows,
    list: async (customer, status, after, skip, limit) =>
      movementsOf(await listWithdrawals(database, customer, status, after, skip, limit)),
    read: async (customer, id) => {
      const row = await readOwnWithdrawal(database, id, customer);
      return row ? ((await movementsOf([row]))[0] ?? null) : null;
    },
    times: (since, now) => readWithdrawalTimes(database, since, now),
    paymentHours: (since) => readPaymentHours(database, since),
    countLatePayouts: (now) => countLatePayouts(database, now),
    payoutStop: () => readPayoutStop(database),
    foreignKind: foreignKind(room),
    restorationKind: restorationKind(),
  };
  return {
    api,
    handlers: [
      ...onAnyClock(listWithdrawalRatesHandler(room)),
      quoteWithdrawalHandler(room),
      requestWithdrawalHandler(room),
      cancelWithdrawalHandler(room),
      answerWithdrawalHandler(room),
      ...listWithdrawalCasesHandler(room),
      ...readWithdrawalCaseHandler(room),
      approveWithdrawalHandler(decider),
      rejectWithdrawalHandler(decider),
      askCustomerHandler(room),
      exportBankPaymentsHandler(room),
      reportBankPaymentHandler(room),
      reportBankFailureHandler(room),
      reportLostPayoutHandler(room),
      giveBackPayoutHandler(room),
      accountForTransactionHandler(room),
      ...onAnyClock(readRestorationHandler(room)),
      endRestorationHandler(room),
      reconcileWithdrawalHandler(room),
    ],
    checks: restoration.checks,
    metrics: restoration.metrics,
    jobs: [
      ...restoration.jobs,
      {
        on: 'settler',
        run: (signal) => database.runAsLeader('withdrawals', signal, (its) => runWithdrawals(room, its)),
      },
    ],
    topics: [customerTopic('withdrawals', async (owner) => viewsOf(await readOpenWithdrawals(database, owner)))],
  };
}
