import { pinsFile, type Report, startChecker } from './checker/index.ts';
import type { Config, Role } from './config.ts';
import { lockDataDir } from './lock-data-dir.ts';
import { openChain } from './open-chain.ts';
import { openPostgres } from './open-postgres.ts';
import type { OperatorLog } from './operator-log.ts';
import { awaitDueOptions } from './options/index.ts';
import { ownKeys } from './proofs/index.ts';
import { type RoleProcess, startRoleProcess } from './role-process.ts';
import { edgeSecretsOf, indexSecretsOf, readSecrets } from './secrets.ts';
import { openShutdownSteps } from './shutdown-steps.ts';
import { type Charge, startRoles } from './start-roles.ts';

export interface Platform {
  readonly url: string;
  /** Resolves when everything works, including the index. */
  readonly ready: Promise<void>;
  /** With `atOnce` it first waits for options that end within seconds, until that signal aborts. */
  stop(atOnce?: AbortSignal): Promise<void>;
}

/** Roles that handle requests from strangers. */
const EDGE_ROLES: readonly Role[] = ['edge', 'matcher'];
/** Roles on which prices and settlements depend. */
const INDEX_ROLES: readonly Role[] = ['index', 'settler'];
/** How long a standby index continues after its parent has ended: longer than a restart takes. */
const LINGER_MS = 30_000;

/**
 * Starts the configured roles. The edge's roles get their own process: whatever strangers do to it, ticks and
 * settlements continue, and it has neither the owner's password nor the key that signs prices. A start that is
 * cancelled stops what it has started, and throws.
 */
export async function startPlatform(
  config: Config,
  operatorLog: OperatorLog,
  calledOff?: AbortSignal,
): Promise<Platform> {
  const { print } = operatorLog;
  const shutdown = openShutdownSteps(operatorLog.report);
  try {
    if (config.databaseUrl === null) shutdown.add('folder', (await lockDataDir(config.dataDir)).release);
    const secrets = readSecrets(config.dataDir);
    const postgres = await openPostgres(config, secrets, print);
    shutdown.add('postgres', postgres.stop);
    if (config.mode === 'live' && config.databaseUrl === null)
      print(
        'WARNING: live without DATABASE_URL: all money is in the embedded PostgreSQL, a build by a single maintainer that is meant for demonstrations. Please set DATABASE_URL to a database server of your own.',
      );
    calledOff?.throwIfAborted();

    let edge: RoleProcess | null = null;
    let report: Report | null = null;
    const onReport = (latest: Report): void => {
      report = latest;
      edge?.sendReport(latest);
    };
    const keys = { own: ownKeys(secrets), file: pinsFile(config.dataDir) };
    if (config.roles.has('checker'))
      shutdown.add(
        'checker',
        startChecker(postgres.checker, print, { keys, onReport, ...(calledOff && { calledOff }) }).stop,
      );

    const opened = config.chain && (await openChain(config.chain, config.dataDir, print));
    if (opened) shutdown.add('chain', opened.stop);
    const chain = opened?.config ?? null;
    opened?.sign(postgres.signer);
    calledOff?.throwIfAborted();

    const has = (roles: readonly Role[]): boolean => roles.some((role) => config.roles.has(role));
    const isEdgeApart = config.edgeApart && config.roles.has('edge') && has(INDEX_ROLES);
    const chargeOf = (isWanted: (role: Role) => boolean): Charge => {
      const roles = new Set([...config.roles].filter(isWanted));
      return {
        config: { ...config, databaseUrl: null, roles },
        secrets: edgeSecretsOf(secrets),
        app: postgres.app,
        index: roles.has('index') ? { connection: postgres.index, secrets: indexSecretsOf(secrets) } : null,
        keepsHouse: false,
        chain,
        hasOwnDatabase: config.databaseUrl === null,
      };
    };
    const here = chargeOf((role) => !(isEdgeApart && EDGE_ROLES.includes(role)));
    const roles = await startRoles(
      { ...here, keepsHouse: true },
      {
        operatorLog,
        shutdown,
        link: {
          isUp: () => edge !== null,
          publish: (text) => edge?.send(text),
          receive: () => undefined,
          onReturn: () => undefined,
        },
        checked: () => report,
        isDatabaseUp: postgres.isUp,
        ...(calledOff && { calledOff }),
      },
    );

    if (config.standbyIndex && config.roles.has('index')) {
      const charge = chargeOf((role) => INDEX_ROLES.includes(role));
      const standby = await startRoleProcess(
        { name: 'the standby index', charge, lingerMs: LINGER_MS, onLive: (text) => edge?.send(text) },
        operatorLog,
      );
      // An embedded database ends with us, so the standby cannot continue without it.
      shutdown.add('standby index', config.databaseUrl === null ? standby.stop : standby.leave);
    }
    if (isEdgeApart) {
      const charge = chargeOf((role) => EDGE_ROLES.includes(role));
      edge = await startRoleProcess({ name: 'the edge', charge }, operatorLog);
      shutdown.add('edge process', edge.stop);
      if (report) edge.sendReport(report);
    }
    calledOff?.throwIfAborted();

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
    await shutdown.run();
    throw error;
  }
}
