import type { KeyObject } from 'node:crypto';
import type { DepositRecord } from '@sathorn/api';
import type { Ledger } from '../../ledger/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Job } from '../../platform/module.ts';
import { reversalKind } from './deposit-kinds.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import { type DepositRow, readDeposits } from './deposit-store.ts';
import { depositRecordOf } from './deposit-view.ts';
import type { DepositChain, DepositsModule } from './deposits.ts';
import { notifyDepositor } from './notify-depositor.ts';
import { readReversalUse } from './read-reversal-use.ts';
import { type ChainWatcher, openChainWatcher, runChainWatcher } from './watch-chain.ts';

type DepositNotifierDependencies = Pick<DepositsModule, 'messages' | 'viewOf'> & {
  readonly database: Database;
  readonly ledger: Pick<Ledger, 'availableBetween'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
};

/** Sends changed deposits to their owners: live, and with a notice if one is due. */
export function openDepositNotifier({
  database,
  ledger,
  bus,
  clock,
  messages,
  viewOf,
  onFault,
}: DepositNotifierDependencies): DepositsModule['changed'] {
  const notifying = { messages, undoneUse: (row: DepositRow) => readReversalUse({ database, ledger }, row) };
  return async (ids) => {
    if (ids.length === 0) return;
    const byOwner = new Map<bigint, DepositRecord[]>();
    for (const row of await readDeposits(database, [...new Set(ids)])) {
      const records = byOwner.get(row.customer_id) ?? [];
      byOwner.set(row.customer_id, records);
      records.push(viewOf(row));
      notifyDepositor(notifying, row, clock.now()).catch(onFault);
    }
    for (const [owner, data] of byOwner) bus.emit('deposits', { owner, data });
  };
}

export type DepositWatchDependencies = Omit<DepositNotifierDependencies, 'viewOf'> &
  Pick<DepositsModule, 'audit' | 'timeZone'> & {
    readonly freezes: Pick<DepositsModule['freezes'], 'freeze'>;
    readonly ledger: Ledger;
    readonly chain: DepositChain;
    /** The key of the seals on what the wallets hold. */
    readonly watchKey: KeyObject;
    /** How often the balances of the wallets are recorded for the checker. */
    readonly observeEveryMs?: number;
  };

/** The watcher of a chain and its job. It needs few other modules, so its process is small. */
export function openDepositWatch(dependencies: DepositWatchDependencies): {
  readonly watcher: ChainWatcher;
  readonly job: Job;
} {
  const { chain, database, onFault } = dependencies;
  const viewOf: DepositsModule['viewOf'] = (row) => depositRecordOf(row, { chain: chain.config, bank: null });
  const watcher = openChainWatcher({
    ...dependencies,
    ...chain,
    reversal: reversalKind(dependencies),
    minimum: DEPOSIT_SETTINGS.chainMin.units,
    onChanged: openDepositNotifier({ ...dependencies, viewOf }),
  });
  return {
    watcher,
    job: {
      on: 'watcher',
      run: (signal) =>
        database.runAsLeader(`deposits:${chain.config.code}`, signal, (its) => runChainWatcher(watcher, its, onFault)),
    },
  };
}
