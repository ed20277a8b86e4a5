import { setTimeout as pause } from 'node:timers/promises';
import type { DepositRecord } from '@sathorn/api';
import { formatDecimal } from '@sathorn/money';
import type { Flow } from '@sathorn/settlement';
import type { Movement, MovementList } from '../../people/customers/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/database/index.ts';
import { customerTopic, onAnyClock } from '../../platform/edge/index.ts';
import { type Module, sweepJob } from '../../platform/module.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import { type BankFeed, feedJob } from './bank-feed.ts';
import { readBankLine } from './bank-lines.ts';
import { repayKind } from './deposit-kinds.ts';
import type { DepositRoom } from './deposit-room.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import {
  completedTotal,
  type DepositRow,
  endReturn,
  expireOrders,
  listDeposits,
  markCorrected,
  readInflows,
  readOwnDeposit,
  readPendingDeposits,
} from './deposit-store.ts';
import { depositRecordOf } from './deposit-view.ts';
import { importBankLinesHandler } from './import-bank-lines.ts';
import { listBankLinesHandler } from './list-bank-lines.ts';
import { listBankStatementsHandler } from './list-bank-statements.ts';
import { listDepositCasesHandler } from './list-deposit-cases.ts';
import { listDepositChannelsHandler } from './list-deposit-channels.ts';
import { matchDepositHandler } from './match-deposit.ts';
import { nameReturnWalletHandler } from './name-return-wallet.ts';
import { type NotableMatch, readNotableMatches } from './notable-matches.ts';
import { openDepositCaseHandler } from './open-deposit-case.ts';
import { creditRecovered, planRecoveryHandler, recoveryKind, takeBackReturns } from './plan-recovery.ts';
import { readDepositCaseHandler } from './read-deposit-case.ts';
import { readDepositSlipHandler } from './read-deposit-slip.ts';
import { type PublicReversal, readReversals } from './read-undone.ts';
import { repayShortfalls } from './repay-shortfalls.ts';
import { returnDepositHandler } from './return-deposit.ts';
import { readHead } from './scan-store.ts';
import { sendTestDepositHandler } from './send-test-deposit.ts';
import { attestStatement, readFeedTime } from './statement-store.ts';
import { submitDepositHandler } from './submit-deposit.ts';
import type { Watcher } from './watch-chain.ts';
import { openChanged, openDepositWatch } from './watch-deposits.ts';

export interface Deposits extends MovementList<DepositRecord> {
  /** Units of USDT completed and not reversed. */
  completedTotal(queries: Queries, customer: bigint): Promise<bigint>;
  /** Deposits that count for a level, with their times. */
  inflows(queries: Queries, customer: bigint): Promise<Flow[]>;
  /** Credits that reorganisations undid since then, without whose they were. */
  reversalsSince(since: Date): Promise<readonly PublicReversal[]>;
  /** The newest block read from a chain; null before the first. */
  headOf(chain: string): Promise<bigint | null>;
  /** A transfer that people decided to send back is final on the chain. */
  sentBack(id: string, now: Date): Promise<void>;
  /** A correction paid this much of a deposit. Runs in the correction's transaction, and the database looks for it. */
  corrected(transaction: Queries, id: string, units: bigint, at: Date): Promise<void>;
  /** An own deposit's operator who stated it; null for what was read from a chain or a bank. */
  openerOf(customer: bigint, id: string): Promise<bigint | null>;
  /** The decision of two people about a transfer that can't be credited by rule. */
  readonly recoveryKind: ApprovalKind;
  /** Matches of the last day that are worth a look. */
  notableMatches(): Promise<readonly NotableMatch[]>;
  /** Marks an imported statement as attested by a second person, in the transaction of their attestation. */
  readonly attestStatement: typeof attestStatement;
  /** An own deposit with the bank's line that it was matched with; null for another customer's. */
  evidence(
    customer: bigint,
    id: string,
  ): Promise<{
    readonly record: DepositRecord;
    readonly journal: string | null;
    readonly line: BankEvidence | null;
  } | null>;
}
interface BankEvidence {
  readonly bank_reference: string;
  readonly reference: string;
  readonly payer: string;
  readonly amount: string;
  readonly at: Date;
}

export type DepositsDependencies = Omit<DepositRoom, 'viewOf' | 'changed' | 'feedReadAt'> & {
  /** Where the bank's own statements come from; null where there is no feed. */
  readonly feed: BankFeed | null;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly mode: 'demo' | 'live';
  /** How often the balances of the wallets are recorded for the checker. */
  readonly observeEveryMs?: number;
  /** Records which accounts the deployment's file names, if there is such a file. */
  readonly announce?: ((now: Date) => Promise<void>) | null;
  readonly onFault: (error: unknown) => void;
};

const RULES_EVERY_MS = 1_000;

/** `watcher` and `settleByRule` are for tests that control when they run. */
export function openDeposits(
  dependencies: DepositsDependencies,
): Module<Deposits> & { readonly watcher: Watcher | null; readonly settleByRule: (now: Date) => Promise<void> } {
  const { database, clock, mode, chain, banks, onFault } = dependencies;
  const viewOf: DepositRoom['viewOf'] = (row) =>
    depositRecordOf(row, { chain: chain?.config ?? null, bank: banks.ofOrder(row.account) });
  const changed = openChanged({ ...dependencies, viewOf });
  const room: DepositRoom = {
    ...dependencies,
    viewOf,
    changed,
    feedReadAt: dependencies.feed && (() => readFeedTime(database)),
  };
  const watch = chain && openDepositWatch({ ...dependencies, chain });
  const { announce = null } = dependencies;
  const repay = repayKind(room);
  const settleByRule = async (now: Date): Promise<void> => {
    await creditRecovered({ ...room, onFault }, now);
    await takeBackReturns({ ...room, onFault }, now);
    await repayShortfalls(room, repay, now);
  };

  const movementOf = (row: DepositRow): Movement<DepositRecord> => ({
    record: viewOf(row),
    at: row.created_at,
    journal: row.journal,
    hold: null,
  });
  const api: Deposits = {
    completedTotal,
    inflows: readInflows,
    attestStatement,
    notableMatches: () => readNotableMatches(database),
    list: async (customer, status, after, skip, limit) =>
      (await listDeposits(database, customer, status, after, skip, limit)).map(movementOf),
    reversalsSince: (since) => readReversals(database, since),
    headOf: (code) => readHead(database, code),
    async sentBack(id, now) {
      if (await endReturn(database, id, now)) await changed([id]);
    },
    recoveryKind: recoveryKind({ ...room, clock }),
    async corrected(transaction, id, units, at) {
      await markCorrected(transaction, id, units, at);
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
              amount: formatDecimal(line.amount, 2),
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
      ...onAnyClock(listDepositChannelsHandler(room)),
      submitDepositHandler(room),
      ...listDepositCasesHandler(room),
      ...readDepositCaseHandler(room),
      readDepositSlipHandler(room),
      ...listBankLinesHandler(room),
      ...listBankStatementsHandler(room),
      importBankLinesHandler(room),
      matchDepositHandler(room, onFault),
      returnDepositHandler(room),
      openDepositCaseHandler(room),
      planRecoveryHandler(room),
      nameReturnWalletHandler(room),
      ...(mode === 'demo' ? [sendTestDepositHandler(room)] : []),
    ],
    jobs: [
      ...(watch ? [watch.job] : []),
      ...(dependencies.feed ? [feedJob({ ...room, clock, feed: dependencies.feed, onFault })] : []),
      {
        on: 'settler',
        run: (signal) =>
          database.runAsLeader('deposits', signal, async (its) => {
            await announce?.(clock.now()).catch(onFault);
            while (!its.aborted) {
              await settleByRule(clock.now()).catch(onFault);
              await pause(RULES_EVERY_MS, undefined, { signal: its }).catch(() => undefined);
            }
          }),
      },
      sweepJob(clock, onFault, async (now) => {
        const before = new Date(now.getTime() - DEPOSIT_SETTINGS.slipWithinMs);
        await changed(await expireOrders(database, before, now));
      }),
    ],
    topics: [customerTopic('deposits', async (owner) => (await readPendingDeposits(database, owner)).map(viewOf))],
    checks: watch ? [{ name: 'deposits', state: () => watch.watcher.trouble() ?? 'ok' }] : [],
  };
}
