import type { DepositRecord } from '@sathorn/api';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Movement, MovementList } from '../customers/index.ts';
import type { Database, Queries } from '../database/index.ts';
import { customerTopic, onAnyClock } from '../edge/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Job, Module } from '../module.ts';
import type { BahtRate, BankAccount } from './bank-rails.ts';
import type { DepositChain, DepositRoom } from './deposit-room.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import {
  completedTotal,
  type DepositRow,
  listDeposits,
  readDeposits,
  readOwnDeposit,
  readPendingDeposits,
} from './deposit-store.ts';
import { depositRecordOf } from './deposit-view.ts';
import { listDepositChannelsHandler } from './list-deposit-channels.ts';
import { readHead } from './scan-store.ts';
import { sendTestDepositHandler } from './send-test-deposit.ts';
import { submitDepositHandler } from './submit-deposit.ts';
import { openWatcher, runWatcher } from './watch-chain.ts';

export interface Deposits extends MovementList<DepositRecord> {
  /** Units of USDT: only what is completed and not reversed. */
  completedTotal(queries: Queries, customer: bigint): Promise<bigint>;
  /** The newest block of a chain that was read; null before the first. */
  headOf(chain: string): Promise<bigint | null>;
}

export interface DepositsDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly mode: 'demo' | 'live';
  readonly timeZone: string;
  readonly chain: DepositChain | null;
  readonly bank: BankAccount | null;
  readonly bahtRate: () => Promise<BahtRate | null>;
  readonly hasPicture: (owner: bigint, id: string) => Promise<boolean>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

export function openDeposits(dependencies: DepositsDependencies): Module<Deposits> {
  const { database, ledger, bus, clock, mode, timeZone, chain, bank, bahtRate, hasPicture, isFrozen, onFault } =
    dependencies;
  const viewOf: DepositRoom['viewOf'] = (row) => depositRecordOf(row, { chain: chain?.config ?? null, bank });
  const changed: DepositRoom['changed'] = async (ids) => {
    if (ids.length === 0) return;
    const byOwner = new Map<bigint, DepositRecord[]>();
    for (const row of await readDeposits(database, [...new Set(ids)])) {
      const records = byOwner.get(row.customer_id) ?? [];
      byOwner.set(row.customer_id, records);
      records.push(viewOf(row));
    }
    for (const [owner, data] of byOwner) bus.emit('deposits', { owner, data });
  };
  const room: DepositRoom = {
    database,
    ledger,
    timeZone,
    chain,
    bank,
    bahtRate,
    hasPicture,
    isFrozen,
    viewOf,
    changed,
  };
  const watcher =
    chain &&
    openWatcher({
      ...chain,
      database,
      ledger,
      clock,
      timeZone,
      minimum: DEPOSIT_SETTINGS.chainMin,
      onFault,
      onChanged: changed,
    });
  const jobs: Job[] = watcher
    ? [
        {
          on: 'settler',
          run: (signal) =>
            database.runAsLeader(`deposits:${chain.config.code}`, signal, (its) => runWatcher(watcher, its, onFault)),
        },
      ]
    : [];

  const movementOf = (row: DepositRow): Movement<DepositRecord> => ({
    record: viewOf(row),
    at: row.created_at,
    journal: row.journal,
    hold: null,
  });
  const api: Deposits = {
    completedTotal,
    list: async (customer, status, after, skip, limit) =>
      (await listDeposits(database, customer, status, after, skip, limit)).map(movementOf),
    headOf: (code) => readHead(database, code),
    read: async (customer, id) => {
      const row = await readOwnDeposit(database, id, customer);
      return row ? movementOf(row) : null;
    },
  };
  return {
    api,
    handlers: [
      ...onAnyClock(listDepositChannelsHandler(room)),
      submitDepositHandler(room),
      ...(mode === 'demo' ? [sendTestDepositHandler(room)] : []),
    ],
    jobs,
    topics: [customerTopic('deposits', async (owner) => (await readPendingDeposits(database, owner)).map(viewOf))],
    checks: watcher ? [{ name: 'deposits', state: () => watcher.trouble() ?? 'ok' }] : [],
  };
}
