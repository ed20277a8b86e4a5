import { createSecretKey } from 'node:crypto';
import { openLedger } from '../ledger/index.ts';
import { type ChainConfig, openChainReader, openDepositAddresses } from '../money/chain/index.ts';
import { openDepositWatch } from '../money/deposits/watch-deposits.ts';
import { freezeForReversal } from '../people/customers/freeze-store.ts';
import { openNotices } from '../people/messages/send-notices.ts';
import { openBus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { openClockGuard } from '../platform/clock-guard.ts';
import { type Connection, openDatabase } from '../platform/database/index.ts';
import { openAuditLog } from '../staff/operators/audit.ts';
import type { RolesDependencies, RunningRoles } from './start-roles.ts';

/**
 * The data for the watcher's process. It reads what strangers wrote on the chain, so it gets only the application's
 * login and the key of its own seals: not the owner's password, and no key that signs prices, receipts or payments.
 */
export interface WatcherInput {
  readonly app: Connection;
  readonly chain: ChainConfig;
  /** The key of the seals on what the wallets hold. */
  readonly watchKey: Buffer;
  readonly natsUrl: string | null;
  readonly timeZone: string;
}

/** A few suffice, because the watcher works for one customer at a time. */
const CONNECTIONS = 4;

/** Watches the chain in this process, which loads only the modules that it needs. */
export async function startWatcher(
  { app, chain, watchKey, natsUrl, timeZone }: WatcherInput,
  { operatorLog: { report }, shutdown, link }: Pick<RolesDependencies, 'operatorLog' | 'shutdown' | 'link'>,
): Promise<Pick<RunningRoles, 'url' | 'ready' | 'stopSelling'>> {
  const onFault = (error: unknown): void => report(error, 'background');
  const { bus, close: closeBus } = await openBus({ natsUrl, onFault, ...(link && { link }) });
  shutdown.add('bus', closeBus);
  const database = openDatabase(app, { onFault, connections: CONNECTIONS });
  shutdown.add('database', database.close);
  const clock = await openClockGuard({ database, clock: systemClock, onFault });
  shutdown.add('clock', async () => clock.close());
  // The watcher posts no commands of customers, so a freeze never stops it.
  const ledger = openLedger({ database, clock, bus, eligibility: null }).api;
  const [leader, ...others] = chain.rpcUrls.map((url) => openChainReader(chain, url));
  if (leader === undefined) throw new Error('a chain without nodes');
  const { job } = openDepositWatch({
    database,
    bus,
    clock,
    ledger,
    timeZone,
    watchKey: createSecretKey(watchKey),
    chain: { config: chain, readers: [leader, ...others], addresses: openDepositAddresses(database, chain) },
    messages: openNotices({ database, bus }),
    audit: openAuditLog(),
    freezes: { freeze: freezeForReversal },
    onFault,
  });
  const ending = new AbortController();
  const running = job.run(ending.signal);
  shutdown.add('watcher', () => {
    ending.abort();
    return running;
  });
  return { url: '', ready: Promise.resolve(), stopSelling: () => undefined };
}
