import path from 'node:path';
import { ACCEPTED_AFTER_MS, COVER_DAYS, NORMAL_REDEMPTION_DAYS, OPTION_GAP_MAX_MS } from '@sathorn/settlement';
import type { Bus, Commands } from './bus/index.ts';
import { openReport, type Report } from './checker/index.ts';
import type { Clock } from './clock.ts';
import { type ClockGuard, openClockGuard } from './clock-guard.ts';
import { type Config, isOfferingContracts, isOfferingEarning, isSellingOptions } from './config.ts';
import { openContent } from './content/index.ts';
import { openContracts } from './contracts/index.ts';
import { type Customers, httpSms, openCustomers, openDemoOutbox, openLiveOutbox, smtpMail } from './customers/index.ts';
import type { Database, Queries } from './database/index.ts';
import { openDemo } from './demo/index.ts';
import { DEMO_TERMS, openEarning } from './earning/index.ts';
import { openFiles } from './files/index.ts';
import { type Ledger, openLedger } from './ledger/index.ts';
import {
  liveSources,
  type Market,
  type MarketAlarm,
  openMarket,
  type Prices,
  ticksForOptions,
} from './market/index.ts';
import { openMessages } from './messages/index.ts';
import type { Module } from './module.ts';
import { type Options, openOptions } from './options/index.ts';
import { ed25519Signer, openProofs } from './proofs/index.ts';
import type { EdgeSecrets, IndexSecrets } from './secrets.ts';

/** The modules of a process, and those of their interfaces that the start itself uses. */
export interface Modules {
  readonly all: readonly Module[];
  /** The database's time, and whether this process's clock agrees with it. */
  readonly clockGuard: ClockGuard;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'ready'>;
  readonly customers: Customers;
  readonly options: Pick<Options, 'stopSelling'>;
}

export interface ModulesDependencies {
  /** Connections for what anybody may ask, so that strangers wait for each other and for nobody else. */
  readonly reads: Queries;
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly database: Database;
  /**
   * The database as the role that appends ticks, and the index's own secrets; null where this process is not the index.
   */
  readonly index: { readonly database: Database; readonly secrets: IndexSecrets } | null;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly commands: Commands;
  /** The checker's latest report. */
  readonly checked: () => Report | null;
  readonly onFault: (error: unknown) => void;
}

function pricesOf({ config, index, onFault }: ModulesDependencies): Prices {
  if (config.mode === 'live') return { kind: 'live', environment: 'live', sources: liveSources({ onFault }) };
  if (config.replay) return { kind: 'replay', folder: config.replay };
  // Only the index draws from the seed; the others read what it published.
  return { kind: 'sim', seed: config.simSeed ?? index?.secrets.simSeed.toString('hex') ?? '' };
}

function liveOutboxOf({ config, onFault }: ModulesDependencies) {
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

/** Every module, each opened after those that it needs. Nothing runs yet. */
export async function openModules(dependencies: ModulesDependencies): Promise<Modules> {
  const { config, secrets, database, reads, index, clock, bus, commands, checked, onFault } = dependencies;
  const { mode, brand } = config;
  const demoOutbox =
    mode === 'demo' ? openDemoOutbox({ database, areas: [brand.areaCode, ...brand.otherAreaCodes] }) : null;

  const clockGuard = await openClockGuard({ database, clock, onFault });
  const ledger = openLedger({
    database,
    clock: clockGuard,
    bus,
    eligibility: {
      readFrozen: (queries, owners) => customers.api.readFrozen(queries, owners),
      refuseFrozen: (queries, owners) => customers.api.refuseFrozen(queries, owners),
    },
  });
  const market = await openMarket({
    database,
    reads,
    clock,
    bus,
    publishing: index && { database: index.database, signer: ed25519Signer(index.secrets.indexKey) },
    prices: pricesOf(dependencies),
    products: {
      optionTerms: (coin) => options.api.optionTerms(coin),
      tradeBars: (...which) => contracts.api.tradeBars(...which),
      contracts: isOfferingContracts(config),
    },
    onFault,
    onAlarm: (alarm) => onFault(new Error(`alarm: ${wordingOf(alarm)}`)),
  });
  const messages = openMessages({
    database,
    bus,
    clock: clockGuard,
    wording: { brandTitle: brand.title, timeZone: brand.timeZone },
    onFault,
  });
  const files = openFiles({ database, dataDir: path.resolve(config.dataDir), secrets });
  const customers = openCustomers({
    database,
    clock: clockGuard,
    bus,
    messages: messages.api,
    files: files.api,
    outbox: demoOutbox ?? liveOutboxOf(dependencies),
    ledger: ledger.api,
    priceOf: (coin) => market.api.lastTick(coin)?.price ?? null,
    mode,
    secrets,
    brand,
    inviteCodes: config.inviteCodes,
    onFault,
  });
  const content = openContent({
    database,
    brand,
    mode,
    prices: market.api.environment,
    products: { options: isSellingOptions(config) ? 'open' : 'no_licence' },
    baseUrl: config.baseUrl,
    rules: {
      stakeMin: '1 USDT',
      acceptSeconds: ACCEPTED_AFTER_MS / 1_000,
      gapSeconds: OPTION_GAP_MAX_MS / 1_000,
      disputeDays: 7,
      quickMax: '30,000,000 USDT',
      redemptionDays: NORMAL_REDEMPTION_DAYS,
      coverDays: COVER_DAYS,
    },
    recentWins: async (now) => {
      const names = new Map<bigint, string>();
      const wins = await options.api.recentWins(now, async (owners) => {
        for (const [owner, name] of await customers.api.namesOfConsenting(owners)) names.set(owner, name);
        return new Set(names.keys());
      });
      return wins.map(({ owner, coin, amount, at }) => ({ name: names.get(owner) ?? '', coin, amount, at }));
    },
    inviteCodeOf: (customer) => customers.api.inviteCodeOf(customer),
  });
  await content.api.keepRules();
  const options: Module<Options> = await openOptions({
    database,
    ledger: ledger.api,
    clock,
    bus,
    market: ticksForOptions(market.api),
    messages: messages.api,
    signer: ed25519Signer(secrets.receiptKey),
    accountSalt: secrets.accountSalt,
    rulesHash: () => content.api.rules.hash('options'),
    timeZone: brand.timeZone,
    isSelling: isSellingOptions(config),
    onFault,
  });
  const contracts = openContracts({
    database,
    reads,
    ledger: ledger.api,
    clock: clockGuard,
    bus,
    commands,
    market: {
      environment: market.api.environment,
      isStale: (coin, now) => market.api.isStale(coin, now) || market.api.isPaused(coin, now),
      lastPrice: (coin) => market.api.lastTick(coin)?.price ?? null,
    },
    // Everybody is on the first level: deposits, which raise it, are not served yet.
    levelOf: () => 0,
    isOffering: isOfferingContracts(config),
    onFault,
  });
  const earning = openEarning({
    database,
    reads,
    ledger: ledger.api,
    clock: clockGuard,
    bus,
    timeZone: brand.timeZone,
    isOffering: isOfferingEarning(config),
    rules: (type, language) => content.api.rules.content(type === 'liquidity' ? 'liquidity' : 'lockup', language),
    onFault,
  });
  if (mode === 'demo') await earning.api.offerDemo(DEMO_TERMS, clockGuard.now());
  return {
    clockGuard,
    ledger: ledger.api,
    market: market.api,
    customers: customers.api,
    options: options.api,
    all: [
      openReport({ latest: checked }),
      ledger,
      market,
      messages,
      files,
      customers,
      content,
      options,
      contracts,
      earning,
      openProofs({ reads }),
      ...(demoOutbox ? [openDemo({ ledger: ledger.api, outbox: demoOutbox })] : []),
    ],
  };
}
