import path from 'node:path';
import { ACCEPTED_AFTER_MS, OPTION_GAP_MAX_MS } from '@sathorn/settlement';
import type { Bus, Commands } from './bus/index.ts';
import type { Clock } from './clock.ts';
import { type ClockGuard, openClockGuard } from './clock-guard.ts';
import { type Config, isOfferingContracts, isSellingOptions } from './config.ts';
import { BRANDS, type Content, openContent } from './content/index.ts';
import { type Contracts, openContracts } from './contracts/index.ts';
import {
  type Customers,
  type DemoOutbox,
  httpSms,
  openCustomers,
  openDemoOutbox,
  openLiveOutbox,
  smtpMail,
} from './customers/index.ts';
import type { Database, Queries } from './database/index.ts';
import { type Files, openFiles } from './files/index.ts';
import { type Ledger, openLedger } from './ledger/index.ts';
import {
  liveSources,
  type Market,
  type MarketAlarm,
  openMarket,
  type Prices,
  ticksForOptions,
} from './market/index.ts';
import { type Messages, openMessages } from './messages/index.ts';
import { type Options, openOptions } from './options/index.ts';
import { ed25519Signer } from './proofs/index.ts';
import type { EdgeSecrets, IndexSecrets } from './secrets.ts';

export interface Rooms {
  readonly database: Database;
  readonly reads: Queries;
  /** The database's time, and whether this process's clock agrees with it. */
  readonly clockGuard: ClockGuard;
  readonly ledger: Ledger;
  readonly market: Market;
  readonly messages: Messages;
  readonly customers: Customers;
  readonly files: Files;
  readonly options: Options;
  readonly contracts: Contracts;
  readonly content: Content;
  /** Where a demonstration keeps what it would have sent; null in a live deployment. */
  readonly demoOutbox: DemoOutbox | null;
}

export interface RoomsDependencies {
  /** Connections for what anybody may ask, so that strangers wait for each other and for nobody else. */
  readonly reads: Queries;
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly database: Database;
  /** The database as the role that appends ticks, and the index's own secrets; null where this process is not the index. */
  readonly index: { readonly database: Database; readonly secrets: IndexSecrets } | null;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly commands: Commands;
  readonly onFault: (error: unknown) => void;
}

function pricesOf({ config, index, onFault }: RoomsDependencies): Prices {
  if (config.mode === 'live') return { kind: 'live', environment: 'live', sources: liveSources({ onFault }) };
  if (config.replay) return { kind: 'replay', folder: config.replay };
  // Only the index draws from the seed; the others read what it published.
  return { kind: 'sim', seed: config.simSeed ?? index?.secrets.simSeed.toString('hex') ?? '' };
}

function liveOutboxOf({ config, onFault }: RoomsDependencies) {
  const { sms, mail } = config;
  if (!sms || !mail) throw new Error('a live deployment sends its codes');
  const url = new URL(mail.url);
  const secure = url.protocol === 'smtps:';
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return openLiveOutbox({
    sms: httpSms(sms),
    mail: smtpMail({
      host: url.hostname,
      port: Number(url.port || (secure ? 465 : 587)),
      secure,
      from: mail.from,
      ...(user && { user, password }),
    }),
    onFault,
  });
}

function wordingOf(alarm: MarketAlarm): string {
  switch (alarm.kind) {
    case 'late':
      return `the index published ${alarm.seconds} s late`;
    case 'lost':
      return `the index could not publish ${alarm.seconds} s in time: options that begin or end in them are void`;
    case 'source_far':
      return `the index of ${alarm.coin}: source_far ${alarm.source}`;
    default:
      return `the index of ${alarm.coin}: ${alarm.kind}`;
  }
}

/** Every room, opened in the order of who needs whom. Nothing runs yet. */
export async function openRooms(dependencies: RoomsDependencies): Promise<Rooms> {
  const { config, secrets, database, reads, index, clock, bus, commands, onFault } = dependencies;
  const { mode } = config;
  const brand = BRANDS.sathorn;
  const receiptSigner = ed25519Signer(secrets.receiptKey);

  const clockGuard = await openClockGuard({ database, clock, onFault });
  const ledger = openLedger({
    database,
    clock: clockGuard,
    bus,
    eligibility: {
      readFrozen: (queries, owners) => customers.readFrozen(queries, owners),
      refuseFrozen: (queries, owners) => customers.refuseFrozen(queries, owners),
    },
  });
  const market = await openMarket({
    database,
    reads,
    clock,
    bus,
    publishing: index && { database: index.database, signer: ed25519Signer(index.secrets.indexKey) },
    prices: pricesOf(dependencies),
    onFault,
    onAlarm: (alarm) => onFault(new Error(`alarm: ${wordingOf(alarm)}`)),
  });
  const messages = openMessages({ database, bus, wording: { brandTitle: brand.title, timeZone: brand.timeZone } });
  const files = openFiles({ database, dataDir: path.resolve(config.dataDir), secrets });
  const demoOutbox = mode === 'demo' ? openDemoOutbox({ database, areas: [brand.areaCode] }) : null;
  const customers = openCustomers({
    database,
    clock,
    bus,
    messages,
    outbox: demoOutbox ?? liveOutboxOf(dependencies),
    ledger,
    priceOf: (coin) => market.lastTick(coin)?.price ?? null,
    mode,
    secrets,
    brand: {
      name: brand.title,
      areaCode: brand.areaCode,
      inviteRequired: brand.isInviteRequired,
      demoInviteCode: 'WELCOME',
      inviteCodes: config.inviteCodes,
      sessionLifeDays: brand.sessionLifeDays,
    },
    onFault,
  });
  const content: Content = openContent({
    database,
    brand,
    mode,
    prices: market.environment,
    products: { options: isSellingOptions(config) ? 'open' : 'no_licence' },
    baseUrl: config.baseUrl,
    rules: {
      stakeMin: '1 USDT',
      acceptSeconds: ACCEPTED_AFTER_MS / 1_000,
      gapSeconds: OPTION_GAP_MAX_MS / 1_000,
      disputeDays: 7,
    },
    recentWins: async (now) => {
      const names = new Map<bigint, string>();
      const wins = await options.recentWins(now, async (owners) => {
        for (const [owner, name] of await customers.namesOfConsenting(owners)) names.set(owner, name);
        return new Set(names.keys());
      });
      return wins.map(({ owner, coin, amount, at }) => ({ name: names.get(owner) ?? '', coin, amount, at }));
    },
    inviteCodeOf: (customer) => customers.inviteCodeOf(customer),
  });
  await content.keepRules();
  const options: Options = await openOptions({
    database,
    ledger,
    clock,
    bus,
    market: ticksForOptions(market),
    messages,
    signer: receiptSigner,
    accountSalt: secrets.accountSalt,
    rulesHash: () => content.rules.hash('options'),
    timeZone: brand.timeZone,
    isSelling: isSellingOptions(config),
    onFault,
  });
  const contracts = openContracts({
    database,
    reads,
    ledger,
    clock: clockGuard,
    bus,
    commands,
    market: {
      environment: market.environment,
      isStale: (coin, now) => market.isStale(coin, now) || market.isPaused(coin, now),
      lastPrice: (coin) => market.lastTick(coin)?.price ?? null,
    },
    // Everybody is on the first level: deposits, which raise it, are not served yet.
    levelOf: () => 0,
    isOffering: isOfferingContracts(config),
    onFault,
  });
  return {
    database,
    reads,
    clockGuard,
    ledger,
    market,
    messages,
    customers,
    files,
    options,
    contracts,
    content,
    demoOutbox,
  };
}
