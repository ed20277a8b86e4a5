import type { CheckerReport } from '../checker/checker/index.ts';
import { alarmSentence, liveSources, openMarket, type PricesConfig } from '../exchange/market/index.ts';
import { openLedger, statementSaltOf } from '../ledger/index.ts';
import { type ChainConfig, openChainReader, openDepositAddresses } from '../money/chain/index.ts';
import { openDemoOutbox } from '../people/customers/index.ts';
import { openMessagePreview, openNotices } from '../people/messages/index.ts';
import type { Bus, CommandBus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import { openClockGuard } from '../platform/clock-guard.ts';
import type { Database, Queries } from '../platform/database/index.ts';
import { ed25519Signer, openAcknowledge } from '../platform/proofs/index.ts';
import type { EdgeSecrets, IndexSecrets, SettlerSecrets, WatcherSecrets } from '../platform/secrets.ts';
import { openCoinCovers } from '../service/books/index.ts';
import type { Config } from './config.ts';
import { openEligibility } from './eligibility.ts';

export interface ModulesDependencies {
  /** Connections for public reads, so that visitors delay only each other. */
  readonly reads: Queries;
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly chain: ChainConfig | null;
  readonly database: Database;
  /**
   * The database connection with the role that appends ticks, and the index's own secrets; null if this process is not
   * the index.
   */
  readonly index: { readonly database: Database; readonly secrets: IndexSecrets } | null;
  /** Null if this process resolves no draws. */
  readonly settler: SettlerSecrets | null;
  /** The watcher's own secret; null if this process does not watch the chain. */
  readonly watcher: WatcherSecrets | null;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly commands: CommandBus;
  /** The checker's latest report. */
  readonly checked: () => CheckerReport | null;
  readonly onFault: (error: unknown) => void;
}

function pricesOf({ config, index, onFault }: ModulesDependencies): PricesConfig {
  if (config.hasLivePrices) return { kind: 'live', environment: 'live', sources: liveSources({ onFault }) };
  if (config.replay) return { kind: 'replay', folder: config.replay };
  // Only the index uses the seed; other processes read what it published.
  return { kind: 'sim', seed: config.simSeed ?? index?.secrets.simSeed.toString('hex') ?? '' };
}

/** Opens the chain; null without one. `leader` is the node that is queried first. */
function openChainOf({ chain, database }: ModulesDependencies) {
  if (!chain) return null;
  const [leader, ...others] = chain.rpcUrls.map((url) => openChainReader(chain, url));
  const addresses = openDepositAddresses(database, chain, leader?.isUsed);
  return {
    config: chain,
    leader,
    addresses,
    opened: leader && { config: chain, readers: [leader, ...others] as const, addresses },
  };
}

/** Opens what everything else depends on: the clock, the chain, the ledger, prices, and notices to customers. */
export async function openBaseModules(dependencies: ModulesDependencies) {
  const { config, database, reads, index, clock, bus, secrets, onFault } = dependencies;
  const { mode, brand } = config;
  const clockGuard = await openClockGuard({ database, clock, onFault });
  const signer = ed25519Signer(secrets.receiptKey);
  const ledger = openLedger({
    statements: { signer, accountSalt: secrets.accountSalt, environment: mode },
    database,
    clock: clockGuard,
    bus,
    // Answers the ledger's questions about customers, whose module needs the ledger and opens later.
    eligibility: openEligibility(),
  });
  const market = await openMarket({
    database,
    reads,
    clock,
    bus,
    publishing: index && { database: index.database, signer: ed25519Signer(index.secrets.indexKey) },
    prices: pricesOf(dependencies),
    onFault,
    onAlarm: (alarm) => onFault(new Error(`alarm: ${alarmSentence(alarm)}`)),
  });
  const wording = { brandTitle: brand.title, timeZone: brand.timeZone };
  return {
    ...dependencies,
    mode,
    brand,
    /** The database's time, with a check that this process's clock agrees with it. */
    clockGuard,
    chainOf: openChainOf(dependencies),
    demoOutbox: mode === 'demo' ? openDemoOutbox({ database, areas: [brand.areaCode, ...brand.otherAreaCodes] }) : null,
    /** The key that signs every receipt. */
    signer,
    acknowledge: openAcknowledge({
      database,
      signer,
      saltOf: (customer) => statementSaltOf(customer, secrets.accountSalt),
      environment: mode,
    }),
    ledger,
    market,
    wording,
    notices: { ...openNotices({ database, bus }), preview: openMessagePreview(wording) },
    coverOf: openCoinCovers({ database, ledger: ledger.api, mode }),
  };
}
export type BaseModules = Awaited<ReturnType<typeof openBaseModules>>;
