import type { WithdrawalRecord } from '@sathorn/api';
import type { MoneyMovement } from '../../people/customers/index.ts';
import { allowOnAnyClock, customerTopic } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { accountForTransactionHandler, foreignTransactionKind } from './account-for-transaction.ts';
import { answerWithdrawalHandler } from './answer-withdrawal.ts';
import { approveWithdrawalHandler, openWithdrawalDecider } from './approve-withdrawal.ts';
import { askCustomerHandler } from './ask-customer.ts';
import { downloadBankFileHandler } from './bank-runs/download-bank-file.ts';
import { openBankRunHandler } from './bank-runs/open-bank-run.ts';
import { readBankRunsHandler } from './bank-runs/read-bank-runs.ts';
import { signBankRunHandler } from './bank-runs/sign-bank-run.ts';
import { withdrawBankRunHandler } from './bank-runs/withdraw-bank-run.ts';
import { cancelWithdrawalHandler } from './cancel-withdrawal.ts';
import { endRestorationHandler, restorationEndKind } from './end-restoration.ts';
import { giveBackPayoutHandler } from './give-back-payout.ts';
import { listWithdrawalCasesHandler } from './list-withdrawal-cases.ts';
import { listWithdrawalRatesHandler } from './list-withdrawal-rates.ts';
import { notifyWithdrawer } from './notify-withdrawer.ts';
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
import { runWithdrawalTracking } from './track-payouts.ts';
import { approveUnattendedKind, requestWithdrawalKind } from './withdrawal-kinds.ts';
import {
  countLatePayouts,
  listWithdrawals,
  readOpenWithdrawals,
  readOwnWithdrawal,
  readPaymentHours,
  readRunSigners,
  readWithdrawals,
  readWithdrawalTimes,
  type WithdrawalRow,
} from './withdrawal-store.ts';
import { withdrawalRecordOf } from './withdrawal-view.ts';
import type { Withdrawals, WithdrawalsDependencies, WithdrawalsModule } from './withdrawals.ts';

export function openWithdrawals(dependencies: WithdrawalsDependencies): Module<Withdrawals> {
  const { database, bus, chain, clock, messages, sealer, headOf, votesOf, onFault } = dependencies;

  const heldSince: WithdrawalsModule['heldSince'] = async (queries) => (await readRestoration(queries))?.since ?? null;
  const viewsOf: WithdrawalsModule['viewsOf'] = async (rows) => {
    if (rows.length === 0) return [];
    const [head, votes, signers, since] = await Promise.all([
      chain ? headOf(chain.config.code) : null,
      votesOf(rows.flatMap(({ approval }) => approval ?? [])),
      readRunSigners(
        database,
        rows.flatMap(({ id, people }) => (people > 0 ? id : [])),
      ),
      heldSince(database),
    ]);
    return rows.map((row) =>
      withdrawalRecordOf(row, {
        chain: chain?.config ?? null,
        sealer,
        head,
        isHeld: since !== null,
        approvals: votes.get(row.approval ?? '') ?? [],
        signers: signers
          .filter((one) => one.withdrawal_id === row.id)
          .map(({ work_name: by, at }) => ({ by, at: at.toISOString() })),
      }),
    );
  };
  const changed: WithdrawalsModule['changed'] = async (ids) => {
    const rows = await readWithdrawals(database, [...new Set(ids)]);
    const records = await viewsOf(rows);
    rows.forEach(({ customer_id: owner }, n) => {
      const record = records[n];
      if (record) bus.emit('withdrawals', { owner, data: [record] });
    });
    rows.forEach((row) => {
      notifyWithdrawer(messages, row, clock.now()).catch(onFault);
    });
  };
  const { lockFrozen } = dependencies.customers;
  const kinds = { request: requestWithdrawalKind(lockFrozen), pass: approveUnattendedKind(lockFrozen) };
  const module: WithdrawalsModule = { ...dependencies, viewsOf, changed, kinds, heldSince };
  const restoration = openRestoration(module);

  const decider = openWithdrawalDecider(module);
  const movementsOf = async (rows: readonly WithdrawalRow[]): Promise<MoneyMovement<WithdrawalRecord>[]> => {
    const records = await viewsOf(rows);
    return rows.flatMap(({ created_at: at, fee_hold, hold }, n) => {
      const record = records[n];
      // The fee's transfer is posted after the amount's, so the record of its hold has the balance after both.
      return record ? { record, at, journal: null, hold: fee_hold ?? hold } : [];
    });
  };
  const api: Withdrawals = {
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
    foreignKind: foreignTransactionKind(module),
    restorationKind: restorationEndKind(),
  };
  return {
    api,
    handlers: [
      ...allowOnAnyClock(listWithdrawalRatesHandler(module)),
      quoteWithdrawalHandler(module),
      requestWithdrawalHandler(module),
      cancelWithdrawalHandler(module),
      answerWithdrawalHandler(module),
      ...listWithdrawalCasesHandler(module),
      ...readWithdrawalCaseHandler(module),
      approveWithdrawalHandler(decider),
      rejectWithdrawalHandler(decider),
      askCustomerHandler(module),
      ...readBankRunsHandler(module),
      openBankRunHandler(module),
      signBankRunHandler(module),
      withdrawBankRunHandler(module),
      downloadBankFileHandler(module),
      reportBankPaymentHandler(module),
      reportBankFailureHandler(module),
      reportLostPayoutHandler(module),
      giveBackPayoutHandler(module),
      accountForTransactionHandler(module),
      ...allowOnAnyClock(readRestorationHandler(module)),
      endRestorationHandler(module),
      reconcileWithdrawalHandler(module),
    ],
    checks: restoration.checks,
    metrics: restoration.metrics,
    jobs: [
      ...restoration.jobs,
      {
        on: 'settler',
        run: (signal) => database.runAsLeader('withdrawals', signal, (its) => runWithdrawalTracking(module, its)),
      },
    ],
    topics: [customerTopic('withdrawals', async (owner) => viewsOf(await readOpenWithdrawals(database, owner)))],
  };
}
