import type { CheckerReport } from '../checker/checker/index.ts';
import type { HouseWallets } from '../money/chain/index.ts';
import { createCluster, hasCluster } from '../platform/database/index.ts';
import { secretsSeenByDatabase } from '../platform/known-secrets.ts';
import { assertNotHalfRestored, lockDataDir } from '../platform/lock-data-dir.ts';
import type { ServerRole } from '../platform/roles.ts';
import { readSecrets, secretsOf } from '../platform/secrets.ts';
import type { Config } from './config.ts';
import type { RunningPostgres } from './open-postgres.ts';
import type { OperatorLog } from './operator-log.ts';
import { type RoleProcess, startRoleProcess } from './role-process.ts';
import { openShutdownSteps } from './shutdown-steps.ts';
import type { RolesInput } from './start-roles.ts';

export interface Platform {
  readonly url: string;
  /** Resolves when everything works, including the index. */
  readonly ready: Promise<void>;
  /** With `atOnce` it first waits for options that end within seconds, until that signal aborts. */
  stop(atOnce?: AbortSignal): Promise<void>;
}

/** Roles that handle requests from strangers. */
const EDGE_ROLES: readonly ServerRole[] = ['edge', 'matcher'];
/** Roles on which prices and settlements depend. */
const INDEX_ROLES: readonly ServerRole[] = ['index', 'settler'];
/** How long a standby index continues after its parent has ended: longer than a restart takes. */
const LINGER_MS = 30_000;

/**
 * Starts the configured roles. The edge's roles and the watcher get their own processes. Whatever strangers do to them,
 * by requests or on the chain, ticks and settlements continue, and these processes have neither the owner's password
 * nor the key that signs prices. A start that is cancelled stops what it has started, and throws.
 */
export async function startPlatform(
  config: Config,
  operatorLog: OperatorLog,
  calledOff?: AbortSignal,
): Promise<Platform> {
  const { print } = operatorLog;
  const shutdown = openShutdownSteps(operatorLog.report);
  const has = (roles: readonly ServerRole[]): boolean => roles.some((role) => config.roles.has(role));
  const isEdgeApart = config.strangersApart && config.roles.has('edge') && has(INDEX_ROLES);
  const edgeCharge = Promise.withResolvers<RolesInput>();
  const houseKept = Promise.withResolvers<void>();
  const wallets = Promise.withResolvers<HouseWallets>();
  let startingEdge: Promise<RoleProcess> | null = null;
  try {
    if (config.databaseUrl === null) shutdown.add('folder', (await lockDataDir(config.dataDir)).release);
    assertNotHalfRestored(config.dataDir);
    const secrets = readSecrets(config.dataDir, { print, existed: await secretsSeenByDatabase(config.databaseUrl) });
    // A folder without a database knows no wallet yet, so the signer needn't wait.
    if (config.databaseUrl === null && !hasCluster(config.dataDir))
      wallets.resolve({ wallets: [], hasAddresses: false });
    // The slow parts begin together: while the database is created, the edge's process and this one load their code and
    // the chain starts.
    const databaseOwner = secrets.databaseOwner.toString('hex');
    const creating =
      config.databaseUrl === null
        ? createCluster({ dataDir: config.dataDir, password: databaseOwner, print })
        : Promise.resolve();
    // The folder stays locked until nothing writes to it.
    shutdown.add('new database', () => creating.catch(() => undefined));
    startingEdge = isEdgeApart
      ? startRoleProcess(
          { name: 'the edge', charge: edgeCharge.promise, beginAfter: houseKept.promise, isYielding: true },
          operatorLog,
        )
      : null;
    startingEdge?.catch(() => undefined);
    const {
      awaitDueOptions,
      checkerVotersFile,
      DEMO_OPERATORS,
      demoOwnersOf,
      ed25519Signer,
      storePayoutWaits,
      memoryFileOf,
      openChain,
      openPostgres,
      ownProofKeys,
      pinnedKeysFile,
      startChecker,
      startRoles,
    } = await import('./platform-parts.ts');
    const openingChain =
      config.chain &&
      openChain(config.chain, {
        dataDir: config.dataDir,
        print,
        isSigning: config.roles.has('checker'),
        wallets: wallets.promise,
        demoOwners: config.mode === 'demo' ? demoOwnersOf(secrets.sessionKey, DEMO_OPERATORS) : [],
      });
    openingChain?.catch(() => undefined);
    let postgres: RunningPostgres | null = null;
    shutdown.add('postgres', async () => postgres?.stop());
    shutdown.add('chain', async () => (await openingChain?.catch(() => null))?.stop());
    postgres = await openPostgres(config, secrets, print, creating, {
      onWallets: wallets.resolve,
      chain: Promise.resolve(openingChain).then((opened) => opened?.config ?? null),
    });
    const { app, index, checker, signer, log, isUp } = postgres;
    if (config.mode === 'live' && config.databaseUrl === null)
      print(
        'WARNING: live without DATABASE_URL: all money is in the embedded PostgreSQL, a build by a single maintainer that is meant for demonstrations. Please set DATABASE_URL to a database server of your own.',
      );
    const opened = await openingChain;
    const chain = opened?.config ?? null;
    // The signer pays only what the checker has scanned, so it runs where the checker runs.
    if (config.roles.has('checker')) opened?.sign(signer, ed25519Signer(secrets.authorisationKey).publicKeyHex);
    else if (opened) print('payouts are signed only where the checker runs: not here');
    calledOff?.throwIfAborted();

    const chargeOf = (isWanted: (role: ServerRole) => boolean): RolesInput => {
      const roles = new Set([...config.roles].filter(isWanted));
      return {
        config: { ...config, databaseUrl: null, roles },
        secrets: secretsOf('edge', secrets),
        app,
        index: roles.has('index') ? { connection: index, secrets: secretsOf('index', secrets) } : null,
        settler: roles.has('settler') ? secretsOf('settler', secrets) : null,
        watcher: roles.has('watcher') ? secretsOf('watcher', secrets) : null,
        keepsHouse: false,
        chain,
        hasOwnDatabase: config.databaseUrl === null,
      };
    };
    let edge: RoleProcess | null = null;
    let report: CheckerReport | null = null;
    const isWatcherApart = config.strangersApart && chain !== null && config.roles.has('watcher');
    const here = chargeOf(
      (role) => !(isEdgeApart && EDGE_ROLES.includes(role)) && !(isWatcherApart && role === 'watcher'),
    );
    // Passes live events of the machine's other processes to the edge, in whichever process it runs.
    let hear: (text: string) => void = () => undefined;
    const onLive = (text: string): void => (isEdgeApart ? edge?.send(text) : hear(text));
    const roles = await startRoles(
      { ...here, keepsHouse: true },
      {
        operatorLog,
        shutdown,
        link: {
          isUp: () => edge !== null,
          publish: (text) => edge?.send(text),
          receive: (listener) => {
            hear = listener;
          },
          onReturn: () => undefined,
        },
        checked: () => report,
        isDatabaseUp: isUp,
        onOpen: () => edgeCharge.resolve(chargeOf((role) => EDGE_ROLES.includes(role))),
        ...(calledOff && { calledOff }),
      },
    );
    houseKept.resolve();

    if (config.standbyIndex && config.roles.has('index')) {
      const charge = chargeOf((role) => INDEX_ROLES.includes(role));
      const standby = await startRoleProcess(
        { name: 'the standby index', charge, lingerMs: LINGER_MS, onLive },
        operatorLog,
      );
      // An embedded database ends with this process, so the standby cannot continue without it.
      shutdown.add('standby index', config.databaseUrl === null ? standby.stop : standby.leave);
    }
    if (isWatcherApart) {
      const { watchKey } = secretsOf('watcher', secrets);
      const charge = { app, chain, watchKey, natsUrl: config.natsUrl, timeZone: config.brand.timeZone };
      const watcher = await startRoleProcess(
        { name: 'the watcher', kind: 'watcher', charge, onLive, isYielding: true },
        operatorLog,
      );
      shutdown.add('watcher process', watcher.stop);
    }
    edge = await startingEdge;
    if (edge) shutdown.add('edge process', edge.stop);
    // Starts last, because its first round would compete with the start for the cores.
    if (config.roles.has('checker')) {
      let isAwaited = false;
      const onReport = (latest: CheckerReport, scanned: bigint | null): void => {
        report = latest;
        edge?.sendReport(latest);
        if (scanned !== null) opened?.scanned(scanned, latest.halted === null && latest.violations.length === 0);
        if (isAwaited) started.look();
      };
      const keys = {
        own: ownProofKeys(secrets),
        file: pinnedKeysFile(config.dataDir),
        seals: {
          order: secrets.orderKey.toString('hex'),
          watch: secrets.watchKey.toString('hex'),
          payout: secrets.payoutKey.toString('hex'),
        },
      };
      const stopping = calledOff && { calledOff };
      const started = startChecker(checker, print, {
        keys,
        votersFile: checkerVotersFile(config.dataDir),
        memory: memoryFileOf(config.dataDir, checker),
        onReport,
        ...stopping,
      });
      shutdown.add('checker', started.stop);
      opened?.onWaits((waits, stop) => {
        isAwaited = waits.some(({ waitsFor }) => waitsFor === 'checker');
        if (isAwaited) started.look();
        storePayoutWaits(roles.database, opened.config.code, waits, stop).catch((error: unknown) =>
          operatorLog.report(error, 'background'),
        );
      });
    }
    calledOff?.throwIfAborted();
    // One log for all servers, so it runs where the checker runs. Nothing waits for it.
    if (config.publicLog !== null && config.roles.has('checker')) {
      const { folder, policyFile } = config.publicLog;
      const charge = { log, folder, policyFile, host: new URL(config.baseUrl).hostname };
      const starting = startRoleProcess(
        { name: 'the public log', kind: 'log', charge, isYielding: true },
        operatorLog,
      ).catch((error: Error) => print(`alarm: there is no public log: ${error.message}`));
      shutdown.add('log process', async () => (await starting)?.stop());
    }

    return {
      url: edge?.url ?? roles.url,
      ready: Promise.all([roles.ready, edge?.ready]).then(() => undefined),
      async stop(atOnce) {
        roles.stopSelling();
        edge?.stopSelling();
        if (config.roles.has('settler') && atOnce)
          await awaitDueOptions(roles.database, print, atOnce).catch((error: unknown) =>
            operatorLog.report(error, 'stop'),
          );
        await shutdown.run();
      },
    };
  } catch (error) {
    for (const awaited of [edgeCharge, houseKept, wallets]) {
      awaited.promise.catch(() => undefined);
      awaited.reject(error);
    }
    shutdown.add('edge process', async () => (await startingEdge?.catch(() => null))?.stop());
    await shutdown.run();
    throw error;
  }
}
