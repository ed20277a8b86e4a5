import { startChecker } from './checker/index.ts';
import type { Config, Role } from './config.ts';
import { type EdgeProcess, startEdgeProcess } from './edge-process.ts';
import { openEndings } from './endings.ts';
import { holdDataDir } from './hold-data-dir.ts';
import { openPostgres } from './open-postgres.ts';
import { awaitEnds } from './options/index.ts';
import { edgeSecretsOf, indexSecretsOf, readSecrets } from './secrets.ts';
import { startRoles } from './start-roles.ts';
import type { Voice } from './voice.ts';

export interface Platform {
  readonly url: string;
  /** When everything serves, the index included. */
  readonly ready: Promise<void>;
  /** Answers what is asked already and waits for options that end in the next seconds, unless `atOnce` aborts. */
  stop(atOnce?: AbortSignal): Promise<void>;
}

/** The roles that talk to strangers, or decide what strangers ask for. */
const EDGE_ROLES: readonly Role[] = ['edge', 'matcher'];

const withRoles = (config: Config, isWanted: (role: Role) => boolean): Config => ({
  ...config,
  roles: new Set([...config.roles].filter(isWanted)),
});

/**
 * Starts the roles of the configuration, those of the edge in a process of their own: whatever strangers do to it, ticks are made and
 * options settle beside it, and it holds neither the owner's password nor the key that signs prices. A start that is called off ends what
 * it has begun, and throws.
 */
export async function startPlatform(config: Config, voice: Voice, calledOff?: AbortSignal): Promise<Platform> {
  const { say } = voice;
  const endings = openEndings(voice.report);
  try {
    if (config.databaseUrl === null) endings.add('folder', (await holdDataDir(config.dataDir)).release);
    const secrets = readSecrets(config.dataDir);
    const postgres = await openPostgres(config, secrets, say);
    endings.add('postgres', postgres.stop);
    calledOff?.throwIfAborted();

    let edge: EdgeProcess | null = null;
    const checker = config.roles.has('checker')
      ? startChecker(postgres.checker, say, { onReport: (report) => edge?.tellChecked(report) })
      : null;
    if (checker !== null) endings.add('checker', checker.stop);
    const isApart =
      config.edgeApart && config.roles.has('edge') && [...config.roles].some((role) => isBehindEdge(role));
    const roles = await startRoles(
      {
        config: isApart ? withRoles(config, (role) => !EDGE_ROLES.includes(role)) : config,
        secrets: edgeSecretsOf(secrets),
        app: postgres.app,
        index: config.roles.has('index') ? { connection: postgres.index, secrets: indexSecretsOf(secrets) } : null,
        keepsHouse: true,
      },
      {
        voice,
        endings,
        link: {
          isUp: () => edge !== null,
          publish: (text) => edge?.send(text),
          receive: () => undefined,
          onReturn: () => undefined,
        },
        checked: () => checker?.report() ?? null,
        isDatabaseUp: postgres.isUp,
        ...(calledOff && { calledOff }),
      },
    );
    const { rooms } = roles;
    const stop = async (atOnce?: AbortSignal): Promise<void> => {
      rooms.options.stopSelling();
      edge?.stopSelling();
      if (config.roles.has('settler') && atOnce)
        await awaitEnds(rooms.database, say, atOnce).catch((error: unknown) => voice.report(error, 'stop'));
      await endings.run();
    };
    if (!isApart) return { ...roles, stop };

    edge = await startEdgeProcess(
      {
        config: { ...withRoles(config, (role) => EDGE_ROLES.includes(role)), databaseUrl: null },
        secrets: edgeSecretsOf(secrets),
        app: postgres.app,
        index: null,
        keepsHouse: false,
      },
      voice,
    );
    endings.add('edge process', edge.stop);
    calledOff?.throwIfAborted();
    return { url: edge.url, ready: Promise.all([roles.ready, edge.ready]).then(() => undefined), stop };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

const isBehindEdge = (role: Role): boolean => role === 'index' || role === 'settler';
