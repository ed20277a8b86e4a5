import path from 'node:path';
import { type Brand, DEFAULT_BRAND } from '@sathorn/brand';
import { type LiveLink, openBus } from './bus/index.ts';
import type { ChainConfig } from './chain/index.ts';
import { barMoney, isViolated, type Report } from './checker/index.ts';
import { type Clock, systemClock } from './clock.ts';
import { type ClockGuard, ClockWrong } from './clock-guard.ts';
import type { Config } from './config.ts';
import { PICTURES_FOLDER } from './content/index.ts';
import { type Connection, type Database, isAnswering, openDatabase } from './database/index.ts';
import { assertSameMode, enrolDemoPeople, fundDemoBank, fundDemoHouse } from './demo/index.ts';
import { type Handler, HTTP_LIMITS, type Metrics, openEdge, openMetrics } from './edge/index.ts';
import { hasNoRoom } from './has-no-room.ts';
import type { Check, Job, Module } from './module.ts';
import { openModules } from './open-modules.ts';
import type { OperatorLog } from './operator-log.ts';
import type { EdgeSecrets, IndexSecrets } from './secrets.ts';
import type { ShutdownSteps } from './shutdown-steps.ts';

/** Connections for what anybody may ask. */
const PUBLIC_READS = HTTP_LIMITS.live.publicReads;

/** What a process needs to run its roles, given by the one that holds the database and all secrets. */
export interface Charge {
  /** Its roles are those of this process. */
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly app: Connection;
  /** Where money comes in and goes out; null without one. */
  readonly chain: ChainConfig | null;
  /** Where this process may be the index. */
  readonly index: { readonly connection: Connection; readonly secrets: IndexSecrets } | null;
  /** Enrols the demo people and sweeps expired rows; true for one process of a machine. */
  readonly keepsHouse: boolean;
  /** The database's files are in the data folder. */
  readonly hasOwnDatabase: boolean;
}

export interface RolesDependencies {
  readonly operatorLog: OperatorLog;
  readonly shutdown: ShutdownSteps;
  /** Live events to and from the other processes of this machine. */
  readonly link?: LiveLink;
  /** The checker's latest round. */
  readonly checked: () => Report | null;
  /** True when the database server runs, as far as its parent process knows. */
  readonly isDatabaseUp: () => boolean;
  readonly calledOff?: AbortSignal;
}

export interface RunningRoles {
  /** Of the edge; empty without one. */
  readonly url: string;
  /** When there is a price. */
  readonly ready: Promise<void>;
  readonly database: Database;
  /** From now on a purchase is refused here: this server stops, and another one will sell again. */
  stopSelling(): void;
}

/** Starts the jobs that belong to this process. */
function startJobs(
  modules: readonly Module[],
  { config, keepsHouse }: Charge,
  signal: AbortSignal,
): Promise<unknown>[] {
  const isHere = ({ on }: Job): boolean =>
    on === 'every process' || (on === 'housekeeper' ? keepsHouse : config.roles.has(on));
  return modules.flatMap(({ jobs = [] }) => jobs.filter(isHere).map((job) => job.run(signal)));
}

/** Where `apps/web/vite.config.ts` puts the app of a brand. */
const webFolderOf = ({ id }: Brand): string => (id === DEFAULT_BRAND ? 'dist' : `dist-${id}`);

/** Every call's handler. A handler that records the time refuses while this machine's clock is wrong. */
function handlersOf(modules: readonly Module[], clockGuard: ClockGuard): Handler[] {
  return modules
    .flatMap(({ handlers }) => handlers)
    .map((handler) =>
      handler.isOnAnyClock
        ? handler
        : {
            ...handler,
            run: async (context) => {
              clockGuard.assertRight();
              return handler.run(context);
            },
          },
    );
}

function metricsOf(modules: readonly Module[], clock: Clock): Metrics {
  const metrics = openMetrics();
  for (const { name, help, read } of modules.flatMap((module) => module.metrics ?? []))
    metrics.watch(name, help, () => read(clock.now()));
  return metrics;
}

async function firstUnready(checks: readonly Check[]): Promise<string | null> {
  for (const { name, isReady } of checks) if (isReady && !(await isReady())) return name;
  return null;
}

/**
 * Starts the roles of `config` in this process, in the order in which they need each other; `shutdown` ends them the
 * other way round.
 */
export async function startRoles(
  charge: Charge,
  { operatorLog: { report, isDiskFull }, shutdown, link, checked, isDatabaseUp, calledOff }: RolesDependencies,
): Promise<RunningRoles> {
  const { config, secrets, app, index, chain, keepsHouse, hasOwnDatabase } = charge;
  const onFault = (error: unknown): void => report(error, 'background');
  const { bus, commands, close: closeBus } = await openBus({ natsUrl: config.natsUrl, onFault, ...(link && { link }) });
  shutdown.add('bus', closeBus);
  const database = openDatabase(app, { onFault });
  shutdown.add('database', database.close);
  const reads = openDatabase(app, { onFault, connections: PUBLIC_READS });
  shutdown.add('reads', reads.close);
  const indexDatabase = index && openDatabase(index.connection, { connections: 4, onFault });
  if (indexDatabase) shutdown.add('index database', indexDatabase.close);
  const { all, clockGuard, ledger, market, customers, payees, operators, options, offerDemoRewards } =
    await openModules({
      chain,
      config,
      secrets,
      database,
      reads,
      index: index && indexDatabase && { database: indexDatabase, secrets: index.secrets },
      clock: systemClock,
      bus,
      commands,
      checked,
      onFault,
    });
  shutdown.add('modules', () => Promise.all(all.map((module) => module.close?.())));
  shutdown.add('clock', async () => clockGuard.close());
  await assertSameMode(ledger, config.mode);
  if (config.mode === 'demo' && keepsHouse) {
    try {
      await fundDemoHouse(ledger);
      await fundDemoBank(ledger);
      await offerDemoRewards(clockGuard.now());
      await enrolDemoPeople({ customers, ledger, payees }, clockGuard.now());
    } catch (error) {
      // The clock guard has raised the alarm. The server starts anyway, so that its health call shows the fault.
      if (!(error instanceof ClockWrong)) throw error;
    }
  }
  calledOff?.throwIfAborted();

  const ending = new AbortController();
  const jobs = startJobs(all, charge, ending.signal);
  shutdown.add('roles', () => {
    ending.abort();
    return Promise.all(jobs);
  });
  const running = { ready: market.ready, database, stopSelling: options.stopSelling };
  if (!config.roles.has('edge')) return { ...running, url: '' };

  const checks = all.flatMap((module) => module.checks ?? []);
  const { rateLimit } = config;
  const edge = await openEdge({
    handlers: barMoney(handlersOf(all, clockGuard), () => isViolated(checked())),
    sessions: customers.sessions,
    operators,
    clock: clockGuard,
    bus,
    topics: all.flatMap((module) => module.topics ?? []),
    mode: config.mode,
    title: config.brand.title,
    readiness: async () => {
      if (!isDatabaseUp() || !(await isAnswering(database))) return 'database';
      if (isDiskFull?.() || (hasOwnDatabase && (await hasNoRoom(config.dataDir)))) return 'disk';
      return firstUnready(checks);
    },
    condition: () =>
      Object.fromEntries(checks.flatMap(({ name, state }) => (state ? [[name, state(systemClock.now())]] : []))),
    folders: {
      web: path.resolve(import.meta.dirname, '../../web', webFolderOf(config.brand)),
      console: path.resolve(import.meta.dirname, '../../console/dist'),
      pictures: PICTURES_FOLDER,
    },
    report,
    metrics: metricsOf(all, systemClock),
    ...(config.metricsToken && { metricsToken: config.metricsToken }),
    isHttps: config.baseUrl.startsWith('https:'),
    proxyHops: config.proxyHops,
    allowedOrigins: config.allowedOrigins,
    ...(rateLimit !== null && {
      limits: {
        requestsPerAddress: rateLimit,
        requestsPerSession: rateLimit,
        requestsPerOperator: rateLimit,
        operatorSignInsPerAddress: rateLimit,
        moneyCallsPerCustomer: rateLimit,
        signInsPerAddress: rateLimit,
      },
    }),
  });
  shutdown.add('edge', edge.close);
  return { ...running, url: await edge.listen({ host: config.host, port: config.port }) };
}
