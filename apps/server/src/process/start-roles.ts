import path from 'node:path';
import { isInPractice } from '@sathorn/api';
import { type Brand, DEFAULT_BRAND } from '@sathorn/brand';
import { barMoneyCalls, type CheckerReport, hasViolations } from '../checker/checker/index.ts';
import { assertSameMode, enrolDemoPeople, fundDemoBank, fundDemoHouse, playScenes } from '../demo/demo/index.ts';
import type { ChainConfig } from '../money/chain/index.ts';
import { type LiveLink, openBus } from '../platform/bus/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type ClockGuard, ClockWrongError } from '../platform/clock-guard.ts';
import { type Connection, type Database, isAnswering, openDatabase } from '../platform/database/index.ts';
import { type Handler, HTTP_LIMITS, loadEdge, type Metrics } from '../platform/edge/index.ts';
import { isFolderFull } from '../platform/is-folder-full.ts';
import type { HealthCheck, Job, Module } from '../platform/module.ts';
import type { EdgeSecrets, IndexSecrets, SettlerSecrets, WatcherSecrets } from '../platform/secrets.ts';
import { PICTURES_FOLDER } from '../service/content/index.ts';
import { addressLine } from './address-line.ts';
import { composeModules } from './compose.ts';
import type { Config } from './config.ts';
import type { OperatorLog } from './operator-log.ts';
import type { ShutdownSteps } from './shutdown-steps.ts';

/** The number of connections for public reads. */
const PUBLIC_READS = HTTP_LIMITS.live.publicReads;

/** The data that a process needs to run its roles; the process with the database and all secrets provides it. */
export interface RolesInput {
  /** `roles` are those of this process. */
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly app: Connection;
  /** The chain for deposits and withdrawals; null without one. */
  readonly chain: ChainConfig | null;
  /** Set if this process may be the index. */
  readonly index: { readonly connection: Connection; readonly secrets: IndexSecrets } | null;
  /** Set if this process settles options and resolves draws. */
  readonly settler: SettlerSecrets | null;
  /** Set if this process watches the chain. */
  readonly watcher: WatcherSecrets | null;
  /** True for one process per machine, which enrols the demo people and removes expired rows. */
  readonly keepsHouse: boolean;
  /** True if the database's files are in the data folder. */
  readonly hasOwnDatabase: boolean;
}

export interface RolesDependencies {
  readonly operatorLog: OperatorLog;
  readonly shutdown: ShutdownSteps;
  /** Live events to and from the machine's other processes. */
  readonly link?: LiveLink;
  /** The checker's latest report. */
  readonly checked: () => CheckerReport | null;
  /** True if the database server runs, as far as its parent process knows. */
  readonly isDatabaseUp: () => boolean;
  /** Set if another process prepares the house's accounts: resolves when they are ready, and jobs may begin. */
  readonly houseKept?: Promise<void>;
  /** Called when the modules are open and their first writes are done. */
  readonly onOpen?: () => void;
  readonly calledOff?: AbortSignal;
}

export interface RunningRoles {
  /** The edge's address; empty without one. */
  readonly url: string;
  /** Resolves when there is a price. */
  readonly ready: Promise<void>;
  readonly database: Database;
  /** Refuses purchases from now on, because this server is stopping; another one will sell. */
  stopSelling(): void;
}

/** Starts the jobs of this process. */
function startJobs(
  modules: readonly Module[],
  { config, keepsHouse }: RolesInput,
  signal: AbortSignal,
): Promise<unknown>[] {
  const isHere = ({ on }: Job): boolean =>
    on === 'every process' || (on === 'housekeeper' ? keepsHouse : config.roles.has(on));
  return modules.flatMap(({ jobs = [] }) => jobs.filter(isHere).map((job) => job.run(signal)));
}

/** The folder into which `apps/web/vite.config.ts` builds the app of a brand. */
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
            run: (context) => {
              clockGuard.assertRight();
              return handler.run(context);
            },
          },
    );
}

function metricsOf(metrics: Metrics, modules: readonly Module[], clock: Clock): Metrics {
  for (const { name, help, read } of modules.flatMap((module) => module.metrics ?? []))
    metrics.watch(name, help, () => read(clock.now()));
  return metrics;
}

async function firstUnready(checks: readonly HealthCheck[]): Promise<string | null> {
  for (const { name, isReady } of checks) if (isReady && !(await isReady())) return name;
  return null;
}

/** Starts the roles of `config` in this process, in order of dependency; `shutdown` stops them in reverse. */
export async function startRoles(
  charge: RolesInput,
  {
    operatorLog: { print, report, isDiskFull },
    shutdown,
    link,
    checked,
    isDatabaseUp,
    houseKept,
    onOpen,
    calledOff,
  }: RolesDependencies,
): Promise<RunningRoles> {
  const { config, secrets, app, index, settler, watcher, chain, keepsHouse, hasOwnDatabase } = charge;
  const isPractice = config.practiceOf !== null;
  const onFault = (error: unknown): void => report(error, 'background');
  const { bus, commands, close: closeBus } = await openBus({ natsUrl: config.natsUrl, onFault, ...(link && { link }) });
  shutdown.add('bus', closeBus);
  const database = openDatabase(app, { onFault });
  shutdown.add('database', database.close);
  const reads = openDatabase(app, { onFault, connections: PUBLIC_READS });
  shutdown.add('reads', reads.close);
  const indexDatabase = index && openDatabase(index.connection, { connections: 4, onFault });
  if (indexDatabase) shutdown.add('index database', indexDatabase.close);
  const modules = await composeModules({
    chain,
    config,
    secrets,
    database,
    reads,
    index: index && indexDatabase && { database: indexDatabase, secrets: index.secrets },
    settler,
    watcher,
    clock: systemClock,
    bus,
    commands,
    checked,
    onFault,
  });
  const { all, clockGuard, ledger, market, customers, payees, operators, options, publishing } = modules;
  shutdown.add('modules', () => Promise.all(all.map((module) => module.close?.())));
  shutdown.add('clock', async () => clockGuard.close());
  onOpen?.();
  await houseKept;
  await assertSameMode(ledger, config.mode);
  if (config.mode === 'demo' && keepsHouse) {
    try {
      await fundDemoHouse(ledger);
      await fundDemoBank(ledger);
      // A practice platform has no rewards, and only people who enter with a ticket.
      if (!isPractice)
        await Promise.all([
          modules.offerDemoLadder(clockGuard.now()),
          enrolDemoPeople({ customers, ledger, payees }, clockGuard.now()),
        ]);
    } catch (error) {
      // The clock guard has raised an alarm. The server starts anyway, so that its health call shows the fault.
      if (!(error instanceof ClockWrongError)) throw error;
    }
  }
  calledOff?.throwIfAborted();

  const ending = new AbortController();
  const jobs = startJobs(all, charge, ending.signal);
  shutdown.add('roles', () => {
    ending.abort();
    return Promise.all(jobs);
  });
  if (config.mode === 'demo' && keepsHouse && !isPractice) {
    let offering = Promise.resolve();
    const offer = (): void => {
      if (!ending.signal.aborted) offering = modules.offerDemoBoxes(clockGuard.now()).catch(onFault);
    };
    market.ready.then(offer, onFault);
    shutdown.add('demo boxes', () => offering);
  }
  const running = { ready: market.ready, database, stopSelling: options.stopSelling };
  if (!config.roles.has('edge')) return { ...running, url: '' };

  const checks = all.flatMap((module) => module.checks ?? []);
  const { rateLimit } = config;
  const handlers = barMoneyCalls(handlersOf(all, clockGuard), () => hasViolations(checked()));
  const { openEdge, openMetrics } = await loadEdge();
  const edge = await openEdge({
    handlers,
    ...(isPractice && { isOffered: isInPractice }),
    sessions: customers.sessions,
    operators,
    clock: clockGuard,
    bus,
    topics: all.flatMap((module) => module.topics ?? []),
    mode: config.mode,
    title: config.brand.title,
    readiness: async () => {
      if (!isDatabaseUp() || !(await isAnswering(database))) return 'database';
      if (isDiskFull?.() || (hasOwnDatabase && (await isFolderFull(config.dataDir)))) return 'disk';
      return firstUnready(checks);
    },
    condition: () =>
      Object.fromEntries(checks.flatMap(({ name, state }) => (state ? [[name, state(systemClock.now())]] : []))),
    folders: {
      web: path.resolve(import.meta.dirname, '../../../web', webFolderOf(config.brand)),
      ...(config.practiceOf === null
        ? { console: path.resolve(import.meta.dirname, '../../../console/dist') }
        : { practiceOf: config.practiceOf.origin }),
      pictures: PICTURES_FOLDER,
      readPicture: publishing.readPicture,
      plainPages: all.flatMap((module) => module.pages ?? []),
      publicFiles: all.flatMap((module) => module.files ?? []),
    },
    report,
    acknowledge: modules.acknowledge,
    takeOrdered: customers.takeOrdered,
    apiKeys: customers.apiKeys,
    metrics: metricsOf(openMetrics(), all, systemClock),
    ...(config.metricsToken && { metricsToken: config.metricsToken }),
    isHttps: config.baseUrl.startsWith('https:'),
    proxyHops: config.proxyHops,
    allowedOrigins: config.allowedOrigins,
    ownUrls: config.mode === 'live' ? [config.baseUrl, ...config.allowedOrigins] : null,
    consoleUrl: config.consoleUrl,
    ...(rateLimit !== null && {
      limits: {
        requestsPerAddress: rateLimit,
        requestsPerSession: rateLimit,
        requestsPerKey: rateLimit,
        requestsPerOperator: rateLimit,
        operatorSignInsPerAddress: rateLimit,
        moneyCallsPerCustomer: rateLimit,
        signInsPerAddress: rateLimit,
      },
    }),
  });
  shutdown.add('edge', edge.close);
  if (config.demoPeople) {
    const ending = new AbortController();
    const scenes = market.ready
      .then(() => {
        const dependencies = { handlers, operators, customers, payees, ledger, database, clock: clockGuard };
        // Prints the address again, because the lines of the scenes have pushed it out of sight.
        const onPlayed = () => print(addressLine(config));
        const { locale: language, timeZone } = config.brand;
        return playScenes({ ...dependencies, language, timeZone, print, onPlayed, onFault }, ending.signal);
      })
      .catch(onFault);
    shutdown.add('demo people', () => {
      ending.abort();
      return scenes;
    });
  }
  return { ...running, url: await edge.listen({ host: config.host, port: config.port }) };
}
