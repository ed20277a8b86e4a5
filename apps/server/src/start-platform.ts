import path from 'node:path';
import { formatMoney, isCoinCode, money } from '@sathorn/money';
import { openBus } from './bus/index.ts';
import { type Checker, startChecker } from './checker/index.ts';
import { systemClock } from './clock.ts';
import { ClockWrong } from './clock-guard.ts';
import type { Config } from './config.ts';
import { PICTURES_FOLDER } from './content/index.ts';
import { isAnswering, openDatabase } from './database/index.ts';
import { assertSameMode, enrolDemoPeople, fundDemoHouse } from './demo/index.ts';
import { type Condition, openEdge, openMetrics, type Snapshots } from './edge/index.ts';
import { handlersOf } from './handlers.ts';
import { holdDataDir } from './hold-data-dir.ts';
import { spotFunds } from './ledger/index.ts';
import { candleOf } from './market/index.ts';
import { openPostgres } from './open-postgres.ts';
import { openRooms, type Rooms } from './open-rooms.ts';
import { readSecrets } from './secrets.ts';

const SWEEP_MS = 600_000;
/** Two rounds of the checker, and the longest that one may take. */
const CHECK_AGE_MAX_MS = 60_000;
/** Nothing that ends may keep the rest from ending. */
const STEP_MAX_MS = 8_000;

export interface Platform {
  readonly url: string;
  /** When everything serves, the index included. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export interface Voice {
  say(line: string): void;
  report(error: unknown, where: string): void;
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

/** Ends of what was started, the last first. A step that throws or hangs is reported, and the others are taken all the same. */
function openEndings(report: Voice['report']) {
  const steps: [string, () => Promise<unknown>][] = [];
  return {
    add: (name: string, end: () => Promise<unknown>) => void steps.push([name, end]),
    async run(): Promise<void> {
      for (const [name, end] of steps.reverse()) {
        const patience = AbortSignal.timeout(STEP_MAX_MS);
        const tooLong = new Promise((_resolve, reject) =>
          patience.addEventListener('abort', () => reject(new Error('does not end'))),
        );
        await Promise.race([end(), tooLong]).catch((error: unknown) => report(error, `stop ${name}`));
      }
    },
  };
}

/**
 * Starts the roles of the configuration, in the order in which they need each other; `stop` ends them the other way round. A start that is
 * called off ends what it has begun, and throws.
 */
export async function startPlatform(config: Config, voice: Voice, calledOff?: AbortSignal): Promise<Platform> {
  const endings = openEndings(voice.report);
  try {
    return await startRoles(config, voice, endings, calledOff);
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function startRoles(
  config: Config,
  { say, report }: Voice,
  endings: ReturnType<typeof openEndings>,
  calledOff?: AbortSignal,
): Promise<Platform> {
  if (config.databaseUrl === null) endings.add('folder', (await holdDataDir(config.dataDir)).release);
  const secrets = readSecrets(config.dataDir);
  const postgres = await openPostgres(config, secrets, say);
  endings.add('postgres', postgres.stop);
  if (config.mode === 'live' && config.databaseUrl === null)
    say(
      'WARNING: live without DATABASE_URL: all money is in the embedded PostgreSQL, a build by a single maintainer that is meant for demonstrations. Please give Sathorn a database server of your own.',
    );
  calledOff?.throwIfAborted();
  const onFault = (error: unknown): void => report(error, 'background');
  const { bus, commands, close: closeBus } = await openBus({ natsUrl: config.natsUrl, onFault });
  endings.add('bus', closeBus);
  const database = openDatabase(postgres.app, { onFault });
  endings.add('database', database.close);
  const rooms = await openRooms({ config, secrets, database, clock: systemClock, bus, commands, onFault });
  endings.add('customers', rooms.customers.close);
  const { clockGuard } = rooms;
  endings.add('clock', async () => clockGuard.close());
  await assertSameMode(rooms.ledger, config.mode);
  if (config.mode === 'demo') {
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
  if (config.roles.has('index')) running.push(rooms.market.lead(ending.signal));
  if (config.roles.has('matcher')) running.push(rooms.contracts.run(ending.signal));
  if (config.roles.has('settler')) running.push(rooms.options.run(ending.signal));
  endings.add('roles', () => {
    ending.abort();
    return Promise.all(running);
  });
  const sweep = setInterval(() => {
    const now = clockGuard.now();
    void Promise.all([rooms.customers.sweep(now), rooms.messages.sweep(now)]).catch(onFault);
  }, SWEEP_MS);
  endings.add('sweep', async () => clearInterval(sweep));
  const checker = config.roles.has('checker') ? startChecker(postgres.checker, say) : null;
  if (checker !== null) endings.add('checker', checker.stop);

  if (!config.roles.has('edge')) return { url: '', ready, stop: endings.run };
  const { rateLimit } = config;
  const metrics = openMetrics();
  metrics.watch('sathorn_money_halted', 'Whether the ledger refuses every transfer: 1, otherwise 0.', () =>
    checker?.report()?.halted ? 1 : 0,
  );
  metrics.watch(
    'sathorn_history_age_seconds',
    'Since the checker last came to the end of all history; -1 before.',
    () => {
      const passed = checker?.report()?.passed;
      return passed ? Math.round((systemClock.now().getTime() - Date.parse(passed)) / 1_000) : -1;
    },
  );
  for (const { name, read } of rooms.customers.codesSpent) {
    metrics.watch(`sathorn_codes_spent_${name}`, 'Share of a day’s budget of verification codes, 1 is all.', () =>
      read(systemClock.now()),
    );
  }
  const edge = await openEdge({
    handlers: handlersOf(rooms),
    sessions: rooms.customers.sessions,
    clock: clockGuard,
    bus,
    snapshots: snapshotsOf(rooms),
    mode: config.mode,
    readiness: async () => {
      if (!postgres.isUp() || !(await isAnswering(database))) return 'database';
      return isReady ? null : 'index';
    },
    condition: () => ({
      money: moneyOf(checker),
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
  return { url: await edge.listen({ host: config.host, port: config.port }), ready, stop: endings.run };
}

/** What the checker says of the ledger; `unchecked` when there is none here, or when it has been silent for long. */
function moneyOf(checker: Checker | null): Condition['money'] {
  const report = checker?.report();
  if (!report || systemClock.now().getTime() - Date.parse(report.checked) > CHECK_AGE_MAX_MS) return 'unchecked';
  return report.halted ? 'halted' : 'open';
}
