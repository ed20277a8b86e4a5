import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type pg from 'pg';
import { LOCAL_CHAIN_FILE, readLocalChainState } from '../../money/chain/index.ts';
import { type Connection, locateCluster } from '../../platform/database/index.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { readSecrets, secretFingerprintsOf } from '../../platform/secrets.ts';
import { flushFile, writeFileAtomically } from '../../platform/write-file-atomically.ts';
import { checkerVotersFile, signerVotersFile } from '../../staff/votes/index.ts';
import { memoryFileOf, pinnedKeysFile } from '../checker/index.ts';
import { assertDiskSpace, lockBackup, noteBackup, totalBytesOf } from './backup-folder.ts';
import { dropBackupSlot, isSlotWhole, slotNameOf } from './backup-slots.ts';
import { readChainHeads, withOwnerClient } from './chain-heads.ts';
import {
  addBackupMoment,
  type BackupMoment,
  type BaseCopy,
  FILE_LIST_SUFFIX,
  type GrowingList,
  HASH_HEX_DIGITS,
  LOG_SEGMENT_BYTES,
  logSegmentOf,
  MANIFEST_FORMAT,
  type Manifest,
  PICTURE_LIST_FILE,
  parseLsn,
  readManifest,
  SIDE_FOLDER_PREFIX,
  sha256,
  startOfSegment,
  UNFINISHED_SUFFIX,
  writeManifest,
} from './manifest.ts';

/** Files that belong to the running server, or that recovery creates again. */
const LEFT_OUT =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.|(^|\/)pgsql_tmp|^(postmaster\.(pid|opts)|backup_label|tablespace_map)$|pg_internal\.init/;

/** The key of the house's wallet. No backup contains it: it is kept with the secrets. */
export const WALLET_KEY_FILE = 'signer/keys.json';
/** The address of that wallet. Because of it, a restore without the key stops instead of creating a new key. */
export const WALLET_ADDRESS_FILE = 'signer/wallet.json';
/**
 * Small files that a backup includes: the published keys as this server first saw them, because a restored server would
 * otherwise trust the database's keys; the wallet's address; a demonstration's test chain.
 */
export const SIDE_FILES = [
  path.basename(pinnedKeysFile('')),
  checkerVotersFile(''),
  signerVotersFile(''),
  memoryFileOf('', { host: path.sep, port: 0, database: '' }),
  WALLET_ADDRESS_FILE,
  // The time since when requests need an authorisation. A new file would exempt all earlier requests.
  'signer/authorisation.json',
  LOCAL_CHAIN_FILE,
];

/** The files that name recovery's first record. PostgreSQL returns them after the copy, so the list lacks both. */
export const BACKUP_LABEL_FILE = 'backup_label';
export const TABLESPACE_MAP_FILE = 'tablespace_map';

const NO_FREE_SLOT = '53400';

interface BackupOptions {
  readonly dataDir: string;
  readonly folder: string;
  /** Connects as the cluster's owner. */
  readonly owner: Connection;
  readonly print: (line: string) => void;
  /** Makes a new copy of the whole cluster, from which restores are faster. */
  readonly isFull?: boolean;
}

interface Server {
  readonly system: string;
  readonly timeline: number;
  readonly flushed: string;
}

async function readServer(client: pg.ClientBase): Promise<Server> {
  const { rows } = await client.query<Server>(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline,
       pg_current_wal_flush_lsn()::text AS flushed`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL did not report its system identifier');
  return row;
}

function walk(root: string, below = ''): string[] {
  return readdirSync(path.join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const at = below ? `${below}/${entry.name}` : entry.name;
    if (LEFT_OUT.test(at)) return [];
    return entry.isDirectory() ? [`${at}/`, ...walk(root, at)] : entry.isFile() ? [at] : [];
  });
}

/** Lists one line per file, in the format that the base's hash covers. */
export function listFiles(root: string): string[] {
  return walk(root)
    .filter((name) => !name.endsWith('/'))
    .sort()
    .map((name) => {
      const bytes = readFileSync(path.join(root, name));
      return `${name} ${bytes.length} ${sha256(bytes)}`;
    });
}

/**
 * Copies the cluster. Files change during the copy; replaying the log from its start makes them consistent. A file that
 * disappears during the copy is not needed.
 */
export function copyCluster(from: string, to: string): void {
  for (const name of walk(from)) {
    const target = path.join(to, name);
    if (name.endsWith('/')) {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      continue;
    }
    try {
      copyFileSync(path.join(from, name), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    // Only the database's user may read them, whatever rights the copies have.
    chmodSync(target, 0o600);
    flushFile(target);
  }
}

async function copyBase(client: pg.ClientBase, cluster: string, folder: string, timeline: number): Promise<BaseCopy> {
  const { rows: started } = await client.query<{ lsn: string; name: string }>(
    `SELECT lsn::text, 'base-' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD"T"HH24MISSMS') AS name
     FROM pg_backup_start('sathorn', true) AS lsn`,
  );
  const { lsn = '0/0', name = 'base' } = started[0] ?? {};
  const unfinished = path.join(folder, `${name}${UNFINISHED_SUFFIX}`);
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  copyCluster(cluster, unfinished);
  const { rows: stopped } = await client.query<{ lsn: string; label: string; map: string; at: Date }>(
    'SELECT lsn::text, labelfile AS label, spcmapfile AS map, clock_timestamp() AS at FROM pg_backup_stop(false)',
  );
  const [stop] = stopped;
  if (stop === undefined) throw new Error('PostgreSQL did not end the copy');
  const list = listFiles(unfinished).join('\n');
  writeFileAtomically(path.join(folder, `${name}${FILE_LIST_SUFFIX}`), list);
  writeFileAtomically(path.join(unfinished, BACKUP_LABEL_FILE), stop.label);
  if (stop.map) writeFileAtomically(path.join(unfinished, TABLESPACE_MAP_FILE), stop.map);
  renameSync(unfinished, path.join(folder, name));
  return {
    folder: name,
    firstSegment: logSegmentOf(timeline, parseLsn(lsn)),
    stopLsn: stop.lsn,
    finishedAt: stop.at.toISOString(),
    hash: sha256(list),
    label: sha256(stop.label + (stop.map || '')),
  };
}

/** Removes the parts of an interrupted backup. The caller holds the folder's lock, so nobody is writing there. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.endsWith(UNFINISHED_SUFFIX)) rmSync(path.join(folder, name), { recursive: true, force: true });
}

/**
 * A replication slot makes the server keep the log that no backup has fetched yet. Returns false if the server had to
 * discard some of it.
 */
async function holdLog(client: pg.ClientBase, slot: string): Promise<boolean> {
  const { rows } = await client.query<{ status: string | null }>(
    'SELECT wal_status AS status FROM pg_replication_slots WHERE slot_name = $1',
    [slot],
  );
  const [found] = rows;
  if (found && isSlotWhole(found.status)) return true;
  if (found) await client.query('SELECT pg_drop_replication_slot($1)', [slot]);
  try {
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === NO_FREE_SLOT)) throw error;
    throw new Error(
      'every replication slot of PostgreSQL is taken by a backup: npm run backup -- --list shows them, and npm run backup -- --forget SLOT gives one back',
      { cause: error },
    );
  }
  return false;
}

function readPart(file: string, bytes: number): Buffer {
  const part = Buffer.alloc(bytes);
  const handle = openSync(file, 'r');
  try {
    for (let at = 0; at < bytes; ) {
      const read = readSync(handle, part, at, bytes - at, at);
      if (read === 0) throw new Error(`${file} ends before what was flushed to it`);
      at += read;
    }
  } finally {
    closeSync(handle);
  }
  return part;
}

/**
 * Copies the log up to `flushed`, from where the last pass ended or, if some is gone, from the newest copy. Complete
 * segments are compressed; the last one is copied as far as it is written.
 */
function copyLog(
  cluster: string,
  folder: string,
  { manifest, isGapless }: { manifest: Manifest; isGapless: boolean },
  flushed: bigint,
): Manifest {
  const kept = path.join(folder, 'wal');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const base = manifest.bases.at(-1);
  if (base === undefined) throw new Error('there is no copy of the cluster yet');
  const wal: Record<string, string> = { ...manifest.wal };
  const last = logSegmentOf(manifest.timeline, flushed);
  // Older copies need the segment that was the last one when the next copy began.
  const first = (isGapless && manifest.tail?.segment) || base.firstSegment;
  for (let at = startOfSegment(first); at < startOfSegment(last); at += BigInt(LOG_SEGMENT_BYTES)) {
    const segment = logSegmentOf(manifest.timeline, at);
    if (wal[segment] !== undefined) continue;
    const bytes = readPart(path.join(cluster, 'pg_wal', segment), LOG_SEGMENT_BYTES);
    writeFileAtomically(path.join(kept, `${segment}.zst`), zstdCompressSync(bytes));
    wal[segment] = sha256(bytes);
  }
  const written = Number(flushed - startOfSegment(last));
  const part = written === 0 ? Buffer.alloc(0) : readPart(path.join(cluster, 'pg_wal', last), written);
  writeFileAtomically(path.join(kept, `${last}.tail`), part);
  return { ...manifest, wal, tail: { segment: last, bytes: written, hash: sha256(part) } };
}

/** Removes what the manifest no longer lists. The manifest is written first, so a crash never leaves too few files. */
function removeOutdated(folder: string, { tail, beside }: Manifest): void {
  const kept = path.join(folder, 'wal');
  for (const name of readdirSync(kept))
    if (name.endsWith('.tail') && name !== `${tail?.segment}.tail`) rmSync(path.join(kept, name));
  for (const name of readdirSync(folder))
    if (name.startsWith(SIDE_FOLDER_PREFIX) && name !== beside?.folder)
      rmSync(path.join(folder, name), { recursive: true, force: true });
}

/** Copies pictures that the backup lacks. Pictures never change, and are encrypted with a key of the secrets. */
function copyPictures(dataDir: string, folder: string, known: GrowingList | undefined): GrowingList {
  const [from, to, file] = [
    path.join(dataDir, 'files'),
    path.join(folder, 'files'),
    path.join(folder, PICTURE_LIST_FILE),
  ];
  let list = known === undefined || !existsSync(file) ? '' : readFileSync(file, 'utf8').slice(0, known.bytes);
  const listed = new Set(list.split('\n').map((line) => line.slice(HASH_HEX_DIGITS + 1)));
  const added: string[] = [];
  if (existsSync(from))
    for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      const [source, target] = [path.join(from, name), path.join(to, name)];
      if (listed.has(name) || !statSync(source, { throwIfNoEntry: false })?.isFile()) continue;
      const bytes = readFileSync(source);
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
      writeFileAtomically(target, bytes);
      added.push(`${sha256(bytes)} ${name}\n`);
    }
  if (added.length > 0 || !existsSync(file)) {
    list += added.join('');
    writeFileAtomically(file, list);
  }
  return { bytes: Buffer.byteLength(list), hash: sha256(list) };
}

/** Copies the small files that a restored folder needs beside the database, into a folder of this pass. */
async function copyBeside(dataDir: string, folder: string): Promise<NonNullable<Manifest['beside']>> {
  const name = `${SIDE_FOLDER_PREFIX}${randomBytes(6).toString('hex')}`;
  const files: Record<string, string> = {};
  mkdirSync(path.join(folder, name), { mode: 0o700 });
  for (const file of SIDE_FILES) {
    const [from, to] = [path.join(dataDir, file), path.join(folder, name, file)];
    const isChain = file === LOCAL_CHAIN_FILE;
    if (!isChain && !existsSync(from)) continue;
    const bytes = isChain ? await readLocalChainState(dataDir) : readFileSync(from);
    if (bytes === null) continue;
    mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    writeFileAtomically(to, bytes);
    files[file] = sha256(bytes);
  }
  return { folder: name, files };
}

async function openManifest(client: pg.ClientBase, folder: string): Promise<Manifest> {
  const { system, timeline } = await readServer(client);
  const found = readManifest(folder);
  if (found !== null && (found.system !== system || found.timeline !== timeline))
    throw new Error(
      `${folder} is the backup of another database, or of one before it was restored: give an empty folder`,
    );
  if (found !== null) return found;
  const id = randomBytes(6).toString('hex');
  const manifest: Manifest = { v: MANIFEST_FORMAT, id, system, timeline, bases: [], wal: {}, tail: null };
  // The manifest is written before the slot is created, so that after an interruption the next backup finds the slot.
  writeManifest(folder, manifest);
  return manifest;
}

/**
 * Brings a backup up to date: the first time it copies the whole cluster, later only the log written since. When it
 * returns, the backup contains everything that was acknowledged before the call. The server keeps running.
 */
export async function backUp(options: BackupOptions): Promise<BackupMoment> {
  makeFolder(options.folder, 0o700);
  const lock = await lockBackup(options.folder);
  try {
    return await withOwnerClient(options.owner, (client) => backUpLocked(client, options));
  } finally {
    await lock.release();
  }
}

async function backUpLocked(client: pg.ClientBase, options: BackupOptions): Promise<BackupMoment> {
  const { dataDir, folder, print, isFull = false } = options;
  const { cluster } = locateCluster({ dataDir, print });
  removeUnfinished(folder);
  let manifest = await openManifest(client, folder);
  const slot = slotNameOf(manifest);
  try {
    const isGapless = await holdLog(client, slot);
    if (!isGapless && manifest.bases.length > 0)
      print('PostgreSQL no longer has the log since the last backup: copying the whole cluster again.');
    if (isFull || !isGapless || manifest.bases.length === 0) {
      assertDiskSpace(folder, totalBytesOf(cluster, walk(cluster)));
      const base = await copyBase(client, cluster, folder, manifest.timeline);
      manifest = { ...manifest, bases: [...manifest.bases, base] };
    }
    const heads = await readChainHeads(client);
    const { flushed } = await readServer(client);
    const moment = { ...heads, lsn: flushed };
    manifest = {
      ...copyLog(cluster, folder, { manifest, isGapless }, parseLsn(flushed)),
      // Copied after the log, so that every row in the log has its picture.
      pictures: copyPictures(dataDir, folder, manifest.pictures),
      // Copied last: a chain older than the books would lack deposits that the books have.
      beside: await copyBeside(dataDir, folder),
      secrets: secretFingerprintsOf(readSecrets(dataDir)),
      moments: addBackupMoment(folder, moment, manifest.moments),
    };
    writeManifest(folder, manifest);
    removeOutdated(folder, manifest);
    noteBackup(dataDir, { slot, folder: path.resolve(folder), at: moment.at });
    const done = startOfSegment(manifest.tail?.segment ?? '');
    await client.query(
      `SELECT pg_replication_slot_advance($1, least($2::pg_lsn, pg_current_wal_flush_lsn()))
       FROM pg_replication_slots WHERE slot_name = $1 AND restart_lsn < $2::pg_lsn`,
      [slot, `${(done >> 32n).toString(16)}/${(done & 0xffffffffn).toString(16)}`],
    );
    return moment;
  } catch (error) {
    removeUnfinished(folder);
    // Without a copy the slot would only make the server keep its log. With a copy, the next pass needs it.
    if ((readManifest(folder)?.bases.length ?? 0) === 0) await dropBackupSlot(client, slot).catch(() => undefined);
    throw error;
  }
}
