import path from 'node:path';
import { formatMoney, isCoinCode, money } from '@sathorn/money';
import { type LiveLink, openBus } from './bus/index.ts';
import { barMoney, countViolations, isViolated, moneyOf, type Report } from './checker/index.ts';
import { systemClock } from './clock.ts';
import { ClockWrong } from './clock-guard.ts';
import type { Config } from './config.ts';
import { PICTURES_FOLDER } from './content/index.ts';
import { type Connection, isAnswering, openDatabase } from './database/index.ts';
import { assertSameMode, enrolDemoPeople, fundDemoHouse } from './demo/index.ts';
import { HTTP_LIMITS, openEdge, openMetrics, type Snapshots } from './edge/index.ts';
import type { Endings } from './endings.ts';
import { handlersOf } from './handlers.ts';
import { hasNoRoom } from './has-no-room.ts';
import { spotFunds } from './ledger/index.ts';
import { candleOf, openTickSealer } from './market/index.ts';
import { openRooms, type Rooms } from './open-rooms.ts';
import type { EdgeSecrets, IndexSecrets } from './secrets.ts';
import type { Voice } from './voice.ts';

const SWEEP_MS = 600_000;
/** Connections for what anybody may ask. */
const PUBLIC_READS = HTTP_LIMITS.live.publicReads;

/** What a process needs to run its roles, given by the one that holds the database and all secrets. */
export interface Charge {
  /** Its roles are those of this process. */
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly app: Connection;
  /** Where this process may be the index. */
  readonly index: { readonly connection: Connection; readonly secrets: IndexSecrets } | null;
  /** Enrols the demo people and sweeps what has run out: one process of a machine does. */
  readonly keepsHouse: boolean;
  /** The database's files are in the data folder. */
  readonly hasOwnDatabase: boolean;
}

export interface Surroundings {
  readonly voice: Voice;
  readonly endings: Endings;
  /** Live events to and from the other processes of this machine. */
  readonly link?: LiveLink;
  /** The checker's latest round. */
  readonly checked: () => Report | null;
  /** Whether the database server runs, as far as its process knows. */
  readonly isDatabaseUp: () => boolean;
  readonly calledOff?: AbortSignal;
}

export interface RunningRoles {
  /** Of the edge; empty without one. */
  readonly url: string;
  /** When the index has spoken. */
  readonly ready: Promise<void>;
  readonly rooms: Rooms;
}

function snapshotsOf({ market, options, contracts, ledger, messages }: Rooms): Snapshots {
  return {
    tickers: () => market.tickers(),
    candle: (code, interval) => {
      const bar = isCoinCode(code) ? market.currentBar(code, interval) : null;
      return bar && isCoinCode(code) ? candleOf(code, bar) : null;
    },
    tradesCandle: async (code, interval) => (isCoinCode(code) ? contracts.newestTradesCandle(code, interval) : null),
    book: (code) => (isCoinCode(code) ? contracts.book(code) : null),
    trades: async (code) => (isCoinCode(code) ? contracts.newestTrades(code) : []),
    contracts: (owner) => contracts.open(owner),
    orders: async (owner) => (await options.list(owner, { status: 'holding', coin: null, page: null })).items,
    balances: async (owner) =>
      [...spotFunds(await ledger.balances(owner))].map(([asset, { available, held }]) => ({
        asset,
        available: formatMoney(money(asset, available)),
        held: formatMoney(money(asset, held)),
      })),
    messages: (owner, reader) => messages.snapshot(owner, reader),
  };
}

/** Starts the roles of `config` in this process, in the order in which they need each other; `endings` ends them the other way round. */
export async function startRoles(
  { config, secrets, app, index, keepsHouse, hasOwnDatabase }: Charge,
  { voice: { report, isDiskFull }, endings, link, checked, isDatabaseUp, calledOff }: Surroundings,
): Promise<RunningRoles> {
  const onFault = (error: unknown): void => report(error, 'background');
  const { bus, commands, close: closeBus } = await openBus({ natsUrl: config.natsUrl, onFault, ...(link && { link }) });
  endings.add('bus', closeBus);
  const database = openDatabase(app, { onFault });
  endings.add('database', database.close);
  const reads = openDatabase(app, { onFault, connections: PUBLIC_READS });
  endings.add('reads', reads.close);
  const indexDatabase = index && openDatabase(index.connection, { connections: 4, onFault });
  if (indexDatabase) endings.add('index database', indexDatabase.close);
  const rooms = await openRooms({
    config,
    secrets,
    database,
    reads,
    index: index && indexDatabase && { database: indexDatabase, secrets: index.secrets },
    clock: systemClock,
    bus,
    commands,
    onFault,
  });
  endings.add('customers', rooms.customers.close);
  const { clockGuard } = rooms;
  endings.add('clock', async () => clockGuard.close());
  await assertSameMode(rooms.ledger, config.mode);
  if (config.mode === 'demo' && keepsHouse) {
    try {
      await fundDemoHouse(rooms.ledger);
      await enrolDemoPeople(rooms, clockGuard.now());
    } catch (error) {
      // The alarm has said so; what serves without accepting anything is health, for whoever mends the clock.
      if (!(error instanceof ClockWrong)) throw error;
    }
  }
  calledOff?.throwIfAborted();

  let isReady = config.mode === 'live';
  const ready = new Promise<void>((resolve) => {
    // A simulator always speaks; a live index may be silent for good reasons, and the platform is up all the same.
    if (isReady) resolve();
    bus.once('ticked', () => {
      isReady = true;
      resolve();
    });
  });

  const ending = new AbortController();
  const running = [rooms.market.follow(ending.signal)];
  if (indexDatabase)
    running.push(rooms.market.lead(ending.signal), openTickSealer(indexDatabase, onFault).run(ending.signal));
  if (config.roles.has('matcher')) running.push(rooms.contracts.run(ending.signal));
  if (config.roles.has('settler')) running.push(rooms.options.run(ending.signal));
  endings.add('roles', () => {
    ending.abort();
    return Promise.all(running);
  });
  if (keepsHouse) {
    const sweep = setInterval(() => {
      const now = clockGuard.now();
      void Promise.all([rooms.customers.sweep(now), rooms.messages.sweep(now)]).catch(onFault);
    }, SWEEP_MS);
    endings.add('sweep', async () => clearInterval(sweep));
  }

  if (!config.roles.has('edge')) return { url: '', ready, rooms };
  const { rateLimit } = config;
  const metrics = openMetrics();
  metrics.watch('sathorn_money_halted', 'Whether the ledger refuses every transfer: 1, otherwise 0.', () =>
    checked()?.halted ? 1 : 0,
  );
  metrics.watch('sathorn_violations', 'What the checker found that nobody has acknowledged.', () =>
    countViolations(checked()),
  );
  metrics.watch(
    'sathorn_violations_acknowledged',
    'What it found that the owner has acknowledged.',
    () => checked()?.acknowledged ?? 0,
  );
  metrics.watch(
    'sathorn_history_age_seconds',
    'Since the checker last came to the end of all history; -1 before.',
    () => {
      const passed = checked()?.passed;
      return passed ? Math.round((systemClock.now().getTime() - Date.parse(passed)) / 1_000) : -1;
    },
  );
  for (const { name, read } of rooms.customers.codesSpent) {
    metrics.watch(`sathorn_codes_spent_${name}`, 'Share of a day’s budget of verification codes, 1 is all.', () =>
      read(systemClock.now()),
    );
  }
  const edge = await openEdge({
    handlers: barMoney(handlersOf(rooms), () => isViolated(checked())),
    sessions: rooms.customers.sessions,
    clock: clockGuard,
    bus,
    snapshots: snapshotsOf(rooms),
    mode: config.mode,
    readiness: async () => {
      if (!isDatabaseUp() || !(await isAnswering(database))) return 'database';
      if (isDiskFull?.() || (hasOwnDatabase && (await hasNoRoom(config.dataDir)))) return 'disk';
      return isReady ? null : 'index';
    },
    condition: () => ({
      money: moneyOf(checked(), systemClock.now()),
      acknowledged: checked()?.acknowledged ?? 0,
      index: rooms.market.coins().some((coin) => !rooms.market.isStale(coin, systemClock.now())) ? 'fresh' : 'stale',
    }),
    folders: { web: path.resolve(import.meta.dirname, '../../web/dist'), pictures: PICTURES_FOLDER },
    report,
    metrics,
    ...(config.metricsToken && { metricsToken: config.metricsToken }),
    isHttps: config.baseUrl.startsWith('https:'),
    proxyHops: config.proxyHops,
    allowedOrigins: config.allowedOrigins,
    ...(rateLimit !== null && {
      limits: {
        requestsPerAddress: rateLimit,
        requestsPerSession: rateLimit,
        moneyCallsPerCustomer: rateLimit,
        signInsPerAddress: rateLimit,
      },
    }),
  });
  endings.add('edge', edge.close);
  return { url: await edge.listen({ host: config.host, port: config.port }), ready, rooms };
}
