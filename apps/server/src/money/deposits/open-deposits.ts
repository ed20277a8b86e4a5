import { setTimeout as pause } from 'node:timers/promises';
import type { DepositRecord } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import type { MoneyMovement } from '../../people/customers/index.ts';
import { allowOnAnyClock, customerTopic } from '../../platform/edge/index.ts';
import { type Module, sweepJob } from '../../platform/module.ts';
import { bankFeedJob } from './bank-feed.ts';
import { readBankLine } from './bank-lines.ts';
import { repayKind } from './deposit-kinds.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import {
  type DepositRow,
  endDepositReturn,
  expireBankOrders,
  hasDueRecovery,
  listDeposits,
  markDepositCorrected,
  readOwnDeposit,
  readPendingDeposits,
  sumCompletedDeposits,
} from './deposit-store.ts';
import { depositRecordOf } from './deposit-view.ts';
import type { Deposits, DepositsDependencies, DepositsModule } from './deposits.ts';
import { importBankLinesHandler } from './import-bank-lines.ts';
import { listBankLinesHandler } from './list-bank-lines.ts';
import { listBankStatementsHandler } from './list-bank-statements.ts';
import { listDepositCasesHandler } from './list-deposit-cases.ts';
import { listDepositChannelsHandler } from './list-deposit-channels.ts';
import { matchDepositHandler } from './match-deposit.ts';
import { nameReturnWalletHandler } from './name-return-wallet.ts';
import { readNotableMatches } from './notable-matches.ts';
import { openDepositCaseHandler } from './open-deposit-case.ts';
import {
  creditRecoveredDeposits,
  planRecoveryHandler,
  recoveryApprovalKind,
  reopenUnsentReturns,
} from './plan-recovery.ts';
import { readDepositCaseHandler } from './read-deposit-case.ts';
import { readDepositSlipHandler } from './read-deposit-slip.ts';
import { readReversals } from './read-reversal-use.ts';
import { repayShortfalls } from './repay-shortfalls.ts';
import { returnDepositHandler } from './return-deposit.ts';
import { readChainHead } from './scan-store.ts';
import { sendTestDepositHandler } from './send-test-deposit.ts';
import { attestBankStatement, readBankFeedTime } from './statement-store.ts';
import { submitDepositHandler } from './submit-deposit.ts';
import type { ChainWatcher } from './watch-chain.ts';
import { openDepositNotifier, openDepositWatch } from './watch-deposits.ts';

const RULES_EVERY_MS = 1_000;

/** `watcher` and `settleByRule` are for tests that control when they run. */
export function openDeposits(
  dependencies: DepositsDependencies,
): Module<Deposits> & { readonly watcher: ChainWatcher | null; readonly settleByRule: (now: Date) => Promise<void> } {
  const { database, clock, mode, chain, banks, onFault } = dependencies;
  const viewOf: DepositsModule['viewOf'] = (row) =>
    depositRecordOf(row, { chain: chain?.config ?? null, bank: banks.ofOrder(row.account) });
  const changed = openDepositNotifier({ ...dependencies, viewOf });
  const module: DepositsModule = {
    ...dependencies,
    viewOf,
    changed,
    feedReadAt: dependencies.feed && (() => readBankFeedTime(database)),
  };
  const { watchKey = null } = dependencies;
  const watch = chain && watchKey && openDepositWatch({ ...dependencies, chain, watchKey });
  const { announce = null } = dependencies;
  const repay = repayKind(module);
  const settleByRule = async (now: Date): Promise<void> => {
    if (!(await hasDueRecovery(database))) return;
    await creditRecoveredDeposits({ ...module, onFault }, now);
    await reopenUnsentReturns({ ...module, onFault }, now);
    await repayShortfalls(module, repay, now);
  };

  const movementOf = (row: DepositRow): MoneyMovement<DepositRecord> => ({
    record: viewOf(row),
    at: row.created_at,
    journal: row.journal,
    hold: null,
  });
  const api: Deposits = {
    completedTotal: sumCompletedDeposits,
    attestStatement: attestBankStatement,
    notableMatches: () => readNotableMatches(database),
    list: async (customer, status, after, skip, limit) =>
      (await listDeposits(database, customer, status, after, skip, limit)).map(movementOf),
    reversalsSince: (since) => readReversals(database, since),
    headOf: (code) => readChainHead(database, code),
    async sentBack(id, now) {
      if (await endDepositReturn(database, id, now)) await changed([id]);
    },
    recoveryKind: recoveryApprovalKind({ ...module, clock }),
    async corrected(transaction, id, paid, at) {
      await markDepositCorrected(transaction, id, paid, at);
    },
    openerOf: async (customer, id) => (await readOwnDeposit(database, id, customer))?.opened_by ?? null,
    read: async (customer, id) => {
      const row = await readOwnDeposit(database, id, customer);
      return row ? movementOf(row) : null;
    },
    async evidence(customer, id) {
      const row = await readOwnDeposit(database, id, customer);
      if (!row) return null;
      const line = row.bank_line === null ? null : await readBankLine(database, row.bank_line);
      return {
        record: viewOf(row),
        journal: row.journal,
        line: line
          ? {
              bank_reference: line.bank_reference,
              reference: line.reference,
              payer: line.payer,
              amount: formatMoney(line.amount),
              at: line.at,
            }
          : null,
      };
    },
  };
  return {
    api,
    watcher: watch?.watcher ?? null,
    settleByRule,
    handlers: [
      ...allowOnAnyClock(listDepositChannelsHandler(module)),
      submitDepositHandler(module),
      ...listDepositCasesHandler(module),
      ...readDepositCaseHandler(module),
      readDepositSlipHandler(module),
      ...listBankLinesHandler(module),
      ...listBankStatementsHandler(module),
      importBankLinesHandler(module),
      matchDepositHandler(module, onFault),
      returnDepositHandler(module),
      openDepositCaseHandler(module),
      planRecoveryHandler(module),
      nameReturnWalletHandler(module),
      ...(mode === 'demo' ? [sendTestDepositHandler(module)] : []),
    ],
    jobs: [
      ...(watch ? [watch.job] : []),
      ...(dependencies.feed ? [bankFeedJob({ ...module, clock, feed: dependencies.feed, onFault })] : []),
      {
        on: 'settler',
        run: (signal) =>
          database.runAsLeader('deposits', signal, async (its) => {
            await announce?.(clock.now()).catch(onFault);
            while (!its.aborted) {
              // Raises the alarm about planted accounts even while nobody orders.
              await dependencies.banks.refresh().catch(onFault);
              await settleByRule(clock.now()).catch(onFault);
              await pause(RULES_EVERY_MS, undefined, { signal: its }).catch(() => undefined);
            }
          }),
      },
      sweepJob(clock, onFault, async (now) => {
        const before = new Date(now.getTime() - DEPOSIT_SETTINGS.slipWithinMs);
        await changed(await expireBankOrders(database, before, now));
      }),
    ],
    topics: [customerTopic('deposits', async (owner) => (await readPendingDeposits(database, owner)).map(viewOf))],
    checks: watch ? [{ name: 'deposits', state: () => watch.watcher.trouble() ?? 'ok' }] : [],
  };
}
