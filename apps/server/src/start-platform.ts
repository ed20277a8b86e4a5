import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { formatMoney, isCoinCode, money } from '@sathorn/money';
import { Bus } from './bus/index.ts';
import { type Checker, startChecker } from './checker/index.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { PICTURES_FOLDER } from './content/index.ts';
import { openDatabase } from './database/index.ts';
import { enrolDemoPeople, fundDemoHouse } from './demo/index.ts';
import { type Edge, openEdge, openMetrics, type Snapshots } from './edge/index.ts';
import { handlersOf } from './handlers.ts';
import { candleOf } from './market/index.ts';
import { openPostgres } from './open-postgres.ts';
import { openRooms, type Rooms } from './open-rooms.ts';
import { readSecrets } from './secrets.ts';

const SWEEP_MS = 600_000;
/** A demonstration's visitors and load tests come from one address; a live brand keeps the edge's own limits. */
const DEMO_LIMITS = {
  requestsPerAddress: 120_000,
  requestsPerSession: 60_000,
  signInsPerAddress: 1_200,
  streamsPerAddress: 20_000,
};

export interface Platform {
  readonly url: string;
  stop(): Promise<void>;
}

export interface Voice {
  say(line: string): void;
  report(error: unknown, where: string): void;
}

function snapshotsOf({ market, options, ledger, messages }: Rooms): Snapshots {
  return {
    tickers: () => market.tickers(),
    candle: (code, interval) => {
      const bar = isCoinCode(code) ? market.currentBar(code, interval) : null;
      return bar && isCoinCode(code) ? candleOf(code, bar) : null;
    },
    orders: async (owner) => (await options.list(owner, { status: 'holding', coin: null, page: null })).items,
    balances: async (owner) =>
      (await ledger.balances(owner))
        .filter(({ account }) => account.name === 'spot')
        .map(({ account: { asset }, available, held }) => ({
          asset,
          available: formatMoney(money(asset, available)),
          held: formatMoney(money(asset, held)),
        })),
    messages: (owner, language) => messages.snapshot(owner, language),
  };
}

/** Starts the roles of the configuration, in the order in which they need each other; `stop` ends them the other way round. */
export async function startPlatform(config: Config, { say, report }: Voice): Promise<Platform> {
  mkdirSync(config.dataDir, { recursive: true });
  const secrets = readSecrets(config.dataDir);
  const postgres = await openPostgres(config, secrets, say);
  const bus = new Bus();
  const onFault = (error: unknown): void => report(error, 'background');
  const database = openDatabase(postgres.app, { onFault });
  const rooms = await openRooms({ config, secrets, database, clock: systemClock, bus, onFault });
  const ending = new AbortController();
  const running: Promise<void>[] = [];

  if (config.mode === 'demo') {
    await fundDemoHouse(rooms.ledger);
    await enrolDemoPeople(rooms, systemClock.now());
  }
  if (config.roles.has('index')) running.push(rooms.market.lead(ending.signal));
  running.push(rooms.market.follow(ending.signal));
  if (config.roles.has('settler')) running.push(rooms.options.run(ending.signal));
  let checker: Checker | null = null;
  if (config.roles.has('checker')) checker = startChecker(postgres.checker, say);
  const sweep = setInterval(() => void rooms.customers.sweep(systemClock.now()).catch(onFault), SWEEP_MS);

  let hasTicked = false;
  bus.once('ticked', () => {
    hasTicked = true;
  });
  const readiness = (): string | null => {
    if (!postgres.isUp()) return 'database';
    // A simulator always speaks; a live index may be silent for good reasons, and the platform is up all the same.
    return hasTicked || config.mode === 'live' ? null : 'index';
  };

  let edge: Edge | null = null;
  let url = '';
  if (config.roles.has('edge')) {
    edge = await openEdge({
      handlers: handlersOf(rooms),
      sessions: rooms.customers.sessions,
      clock: systemClock,
      bus,
      snapshots: snapshotsOf(rooms),
      mode: config.mode,
      readiness: async () => readiness(),
      folders: { web: path.resolve(import.meta.dirname, '../../web/dist'), pictures: PICTURES_FOLDER },
      report,
      metrics: openMetrics(),
      ...(config.metricsToken && { metricsToken: config.metricsToken }),
      isHttps: config.baseUrl.startsWith('https:'),
      proxyHops: config.proxyHops,
      limits: {
        ...(config.mode === 'demo' && DEMO_LIMITS),
        ...(config.rateLimit !== null && {
          requestsPerAddress: config.rateLimit,
          requestsPerSession: config.rateLimit,
          signInsPerAddress: config.rateLimit,
        }),
      },
    });
    url = await edge.listen({ host: config.host, port: config.port });
  }

  return {
    url,
    async stop() {
      clearInterval(sweep);
      await edge?.close();
      ending.abort();
      await Promise.all(running);
      await checker?.stop();
      await rooms.customers.close();
      await database.close();
      await postgres.stop();
    },
  };
}
