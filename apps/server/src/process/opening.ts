import { parseDecimal } from '@sathorn/money';
import type { Report } from '../checker/checker/index.ts';
import type { openBoxes } from '../earning/boxes/index.ts';
import type { openEarning } from '../earning/earning/index.ts';
import type { openInvites } from '../earning/invites/index.ts';
import type { openRewards } from '../earning/rewards/index.ts';
import type { openAlerts } from '../exchange/alerts/index.ts';
import type { openContracts } from '../exchange/contracts/index.ts';
import { liveSources, type openMarket, type Prices } from '../exchange/market/index.ts';
import type { openOptions } from '../exchange/options/index.ts';
import type { openLedger } from '../ledger/index.ts';
import { type ChainConfig, openAddresses, openChainReader } from '../money/chain/index.ts';
import type { openDeposits } from '../money/deposits/index.ts';
import type { openPayees } from '../money/payees/index.ts';
import type { openWithdrawals } from '../money/withdrawals/index.ts';
import type { openCertifications } from '../people/certifications/index.ts';
import type { openConsents } from '../people/consents/index.ts';
import { type openCustomers, openDemoOutbox } from '../people/customers/index.ts';
import type { openMessages } from '../people/messages/index.ts';
import type { openPush } from '../people/push/index.ts';
import type { openSafeguards } from '../people/safeguards/index.ts';
import type { Bus, Commands } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type ClockGuard, openClockGuard } from '../platform/clock-guard.ts';
import type { Database, Queries } from '../platform/database/index.ts';
import type { openFiles } from '../platform/files/index.ts';
import type { Module } from '../platform/module.ts';
import type { EdgeSecrets, IndexSecrets, SettlerSecrets } from '../platform/secrets.ts';
import type { openBooks } from '../service/books/index.ts';
import type { openConsole } from '../service/console/index.ts';
import type { openContent, openPublishing } from '../service/content/index.ts';
import type { openCorrections } from '../service/corrections/index.ts';
import type { openDisputes } from '../service/disputes/index.ts';
import type { openStatus } from '../service/status/index.ts';
import type { openSupport } from '../service/support/index.ts';
import { isSwitchedOn, type Switched } from '../staff/brand-switches.ts';
import type { openLevels } from '../staff/levels/index.ts';
import type { openOffer } from '../staff/offer/index.ts';
import type { openOperators } from '../staff/operators/index.ts';
import type { openPauses } from '../staff/pauses/index.ts';
import type { Config } from './config.ts';

export interface ModulesDependencies {
  /** Connections for public reads, so that visitors delay only each other. */
  readonly reads: Queries;
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly chain: ChainConfig | null;
  readonly database: Database;
  /**
   * The database connection with the role that appends ticks, and the index's own secrets; null where this process is
   * not the index.
   */
  readonly index: { readonly database: Database; readonly secrets: IndexSecrets } | null;
  /** Null where this process opens no draws. */
  readonly settler: SettlerSecrets | null;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly commands: Commands;
  /** The checker's latest report. */
  readonly checked: () => Report | null;
  readonly onFault: (error: unknown) => void;
}

/** Every room, filled in the order of opening. A room that is opened earlier may use a later one once all are open. */
export interface Rooms {
  ledger: Awaited<ReturnType<typeof openLedger>>;
  market: Awaited<ReturnType<typeof openMarket>>;
  messages: Awaited<ReturnType<typeof openMessages>>;
  safeguards: Awaited<ReturnType<typeof openSafeguards>>;
  alerts: Awaited<ReturnType<typeof openAlerts>>;
  files: Awaited<ReturnType<typeof openFiles>>;
  customers: Awaited<ReturnType<typeof openCustomers>>;
  push: Awaited<ReturnType<typeof openPush>>;
  operators: Awaited<ReturnType<typeof openOperators>>;
  offer: Awaited<ReturnType<typeof openOffer>>;
  pauses: Awaited<ReturnType<typeof openPauses>>;
  consents: Awaited<ReturnType<typeof openConsents>>;
  certifications: Awaited<ReturnType<typeof openCertifications>>;
  payees: Awaited<ReturnType<typeof openPayees>>;
  levels: Awaited<ReturnType<typeof openLevels>>;
  content: Awaited<ReturnType<typeof openContent>>;
  publishing: Awaited<ReturnType<typeof openPublishing>>;
  options: Awaited<ReturnType<typeof openOptions>>;
  contracts: Awaited<ReturnType<typeof openContracts>>;
  deposits: Awaited<ReturnType<typeof openDeposits>>;
  withdrawals: Awaited<ReturnType<typeof openWithdrawals>>;
  earning: Awaited<ReturnType<typeof openEarning>>;
  rewards: Awaited<ReturnType<typeof openRewards>>;
  boxes: Awaited<ReturnType<typeof openBoxes>>;
  invites: Awaited<ReturnType<typeof openInvites>>;
  support: Awaited<ReturnType<typeof openSupport>>;
  status: Awaited<ReturnType<typeof openStatus>>;
  corrections: Awaited<ReturnType<typeof openCorrections>>;
  disputes: Awaited<ReturnType<typeof openDisputes>>;
  staffConsole: Awaited<ReturnType<typeof openConsole>>;
  books: Awaited<ReturnType<typeof openBooks>>;
}

/** What the files that open rooms share. */
export interface Opening extends ModulesDependencies {
  readonly rooms: Rooms;
  /** The database's time, and whether this process's clock agrees with it. */
  readonly clockGuard: ClockGuard;
  readonly mode: Config['mode'];
  readonly brand: Config['brand'];
  readonly prices: Prices;
  readonly demoOutbox: ReturnType<typeof openDemoOutbox> | null;
  /** Null without a chain; `leader` is the node that is asked first. */
  readonly openedChain: {
    readonly config: ChainConfig;
    readonly readers: readonly [ChainReader, ...ChainReader[]];
    readonly addresses: ChainAddresses;
  } | null;
  readonly addresses: ChainAddresses | null;
  readonly leader: ChainReader | undefined;
  readonly bahtRate: () => Promise<{ units: bigint; source: 'simulated' | 'market'; at: Date } | null>;
  readonly switches: Parameters<typeof isSwitchedOn>[0];
  readonly isOn: (product: Switched) => boolean;
  /** All modules, once they are open. */
  readonly all: () => readonly Module[];
}
type ChainReader = ReturnType<typeof openChainReader>;
type ChainAddresses = ReturnType<typeof openAddresses>;

function pricesOf({ config, index, onFault }: ModulesDependencies): Prices {
  if (config.mode === 'live') return { kind: 'live', environment: 'live', sources: liveSources({ onFault }) };
  if (config.replay) return { kind: 'replay', folder: config.replay };
  // Only the index uses the seed; other processes read what it published.
  return { kind: 'sim', seed: config.simSeed ?? index?.secrets.simSeed.toString('hex') ?? '' };
}

/** The rooms are still empty. */
export async function beginOpening(dependencies: ModulesDependencies, all: () => readonly Module[]): Promise<Opening> {
  const { config, chain, database, clock, onFault } = dependencies;
  const { mode, brand } = config;
  const rooms = {} as Rooms;
  const readers = chain?.rpcUrls.map((url) => openChainReader(chain, url)) ?? [];
  const [leader, ...others] = readers;
  const addresses = chain && openAddresses(database, chain, leader?.isUsed);
  const openedChain =
    chain && leader && addresses ? { config: chain, readers: [leader, ...others] as const, addresses } : null;
  const bahtRate: Opening['bahtRate'] = async () => {
    const [rate] = await rooms.content.api.rates.list('BAHT');
    const units = rate && parseDecimal(rate.rate, 6);
    return rate && units ? { units, source: rate.simulated ? 'simulated' : 'market', at: new Date(rate.at) } : null;
  };
  const switches = {
    mode,
    licences: {
      options: config.licenceOfOptions,
      contracts: config.licenceOfContracts,
      earning: config.licenceOfEarning,
    },
    inForce: (kind: string, subject: string) => rooms.offer.api.inForce(kind, subject),
  };
  const isOn = (product: Switched): boolean => isSwitchedOn(switches, product);

  return {
    ...dependencies,
    rooms,
    clockGuard: await openClockGuard({ database, clock, onFault }),
    mode,
    brand,
    prices: pricesOf(dependencies),
    demoOutbox: mode === 'demo' ? openDemoOutbox({ database, areas: [brand.areaCode, ...brand.otherAreaCodes] }) : null,
    openedChain,
    addresses,
    leader,
    bahtRate,
    switches,
    isOn,
    all,
  };
}
