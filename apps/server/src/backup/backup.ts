import { randomBytes } from 'node:crypto';
import {
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
import { memoryFile, pinsFile } from '../checker/index.ts';
import { type Connection, locateCluster } from '../database/index.ts';
import { checkerVotersFile, signerVotersFile } from '../votes/index.ts';
import { readHeads, withOwner } from './chain-heads.ts';
import {
  addMoment,
  type BaseCopy,
  FORMAT,
  lsnOf,
  type Manifest,
  type Moment,
  readManifest,
  SEGMENT_BYTES,
  segmentOf,
  sha256,
  startOfSegment,
  writeManifest,
} from './manifest.ts';
import { flush, writeWhole } from './write-whole.ts';

/** Files that belong to the running server, or that recovery creates again. */
const LEFT_OUT =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.|(^|\/)pgsql_tmp|^(postmaster\.(pid|opts)|backup_label|tablespace_map)$|pg_internal\.init/;

/** The name of the file with the checker's pinned keys, both in a data folder and in a backup. */
/** The key of the house's wallet. No backup contains it: it is kept with the secrets. */
export const WALLET_KEY = 'signer/keys.json';
/** The address of that wallet: without its key, a restore stops instead of making a new one. */
export const WALLET_ADDRESS = 'signer/wallet.json';
/**
 * The published keys as this server first saw them: without them a restored server would trust the database's keys.
 * Then the wallet's address, and the test chain of a demonstration.
 */
export const FILES_BESIDE = [
  path.basename(pinsFile('')),
  checkerVotersFile(''),
  signerVotersFile(''),
  memoryFile('', { host: path.sep, port: 0, database: '' }),
  WALLET_ADDRESS,
  'chain/state.json',
];

export interface BackupOptions {
  readonly dataDir: string;
  readonly folder: string;
  /** Connects as the cluster's owner. */
  readonly owner: Connection;
  readonly print: (line: string) => void;
  /** A new copy of the whole cluster, from which restores go faster. */
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

/** One line per file, in the format that the base's hash covers. */
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
 * Files change while they are copied; replaying the log from the start of the copy makes them consistent. A file that
 * disappears meanwhile is not needed.
 */
function copyCluster(from: string, to: string): void {
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
    flush(target);
  }
}

async function copyBase(client: pg.ClientBase, cluster: string, folder: string, timeline: number): Promise<BaseCopy> {
  const { rows: started } = await client.query<{ lsn: string; name: string }>(
    `SELECT lsn::text, 'base-' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD"T"HH24MISS') AS name
     FROM pg_backup_start('sathorn', true) AS lsn`,
  );
  const { lsn = '0/0', name = 'base' } = started[0] ?? {};
  const unfinished = path.join(folder, `${name}.part`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  copyCluster(cluster, unfinished);
  const { rows: stopped } = await client.query<{ lsn: string; label: string; map: string; at: Date }>(
    'SELECT lsn::text, labelfile AS label, spcmapfile AS map, clock_timestamp() AS at FROM pg_backup_stop(false)',
  );
  const [stop] = stopped;
  if (stop === undefined) throw new Error('PostgreSQL did not end the copy');
  const hash = sha256(listFiles(unfinished).join('\n'));
  writeWhole(path.join(unfinished, 'backup_label'), stop.label);
  if (stop.map) writeWhole(path.join(unfinished, 'tablespace_map'), stop.map);
  renameSync(unfinished, path.join(folder, name));
  return {
    folder: name,
    firstSegment: segmentOf(timeline, lsnOf(lsn)),
    stopLsn: stop.lsn,
    finishedAt: stop.at.toISOString(),
    hash,
  };
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
  if (found && found.status !== 'lost' && found.status !== 'unreserved') return true;
  if (found) await client.query('SELECT pg_drop_replication_slot($1)', [slot]);
  await client.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
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
 * Copies the log from the oldest kept segment up to `flushed`: complete segments compressed, the last one as far as it
 * is written.
 */
function copyLog(cluster: string, folder: string, manifest: Manifest, flushed: bigint): Manifest {
  const kept = path.join(folder, 'wal');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const base = manifest.bases.at(-1);
  if (base === undefined) throw new Error('there is no copy of the cluster yet');
  const wal: Record<string, string> = { ...manifest.wal };
  const last = segmentOf(manifest.timeline, flushed);
  for (let at = startOfSegment(base.firstSegment); at < startOfSegment(last); at += BigInt(SEGMENT_BYTES)) {
    const segment = segmentOf(manifest.timeline, at);
    if (wal[segment] !== undefined) continue;
    const bytes = readPart(path.join(cluster, 'pg_wal', segment), SEGMENT_BYTES);
    writeWhole(path.join(kept, `${segment}.zst`), zstdCompressSync(bytes));
    wal[segment] = sha256(bytes);
  }
  const written = Number(flushed - startOfSegment(last));
  const part = written === 0 ? Buffer.alloc(0) : readPart(path.join(cluster, 'pg_wal', last), written);
  writeWhole(path.join(kept, `${last}.tail`), part);
  for (const name of readdirSync(kept))
    if (name.endsWith('.tail') && name !== `${last}.tail`) rmSync(path.join(kept, name));
  return { ...manifest, wal, tail: { segment: last, bytes: written, hash: sha256(part) } };
}

/** Copies pictures that the backup lacks. Pictures never change, and are encrypted with a key of the secrets. */
function copyPictures(dataDir: string, folder: string): void {
  const from = path.join(dataDir, 'files');
  if (!existsSync(from)) return;
  const to = path.join(folder, 'files');
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    const found = statSync(source, { throwIfNoEntry: false });
    if (found === undefined || existsSync(target)) continue;
    mkdirSync(found.isDirectory() ? target : path.dirname(target), { recursive: true, mode: 0o700 });
    if (found.isFile()) writeWhole(target, readFileSync(source));
  }
}

/** Copies the small files that a restored folder needs beside the database. */
function copyBeside(dataDir: string, folder: string): void {
  for (const name of FILES_BESIDE) {
    const [from, to] = [path.join(dataDir, name), path.join(folder, name)];
    if (!existsSync(from)) continue;
    mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    writeWhole(to, readFileSync(from));
  }
}

/**
 * Brings a backup up to date: the first time it copies the whole cluster, later only the log written since. When it
 * returns, the backup contains everything that was acknowledged before the call. The server keeps running.
 */
export async function backUp({ dataDir, folder, owner, print, isFull = false }: BackupOptions): Promise<Moment> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { cluster } = locateCluster({ dataDir, print });
  return withOwner(owner, async (client) => {
    const { system, timeline } = await readServer(client);
    const empty: Manifest = {
      v: FORMAT,
      id: randomBytes(6).toString('hex'),
      system,
      timeline,
      bases: [],
      wal: {},
      tail: null,
    };
    let manifest = readManifest(folder) ?? empty;
    if (manifest.system !== system || manifest.timeline !== timeline)
      throw new Error(
        `${folder} is the backup of another database, or of one before it was restored: give an empty folder`,
      );
    const slot = `sathorn_backup_${manifest.id}`;
    const isGapless = await holdLog(client, slot);
    if (!isGapless && manifest.bases.length > 0)
      print('PostgreSQL no longer has the log since the last backup: copying the whole cluster again.');
    if (isFull || !isGapless || manifest.bases.length === 0) {
      const base = await copyBase(client, cluster, folder, timeline);
      manifest = { ...manifest, bases: [...manifest.bases, base] };
    }
    const heads = await readHeads(client);
    const { flushed } = await readServer(client);
    manifest = copyLog(cluster, folder, manifest, lsnOf(flushed));
    // Copied after the log, so that every row in the log has its picture.
    copyPictures(dataDir, folder);
    copyBeside(dataDir, folder);
    writeManifest(folder, manifest);
    const moment = { ...heads, lsn: flushed };
    addMoment(folder, moment);
    const done = startOfSegment(manifest.tail?.segment ?? '');
    await client.query(
      `SELECT pg_replication_slot_advance($1, least($2::pg_lsn, pg_current_wal_flush_lsn()))
       FROM pg_replication_slots WHERE slot_name = $1 AND restart_lsn < $2::pg_lsn`,
      [slot, `${(done >> 32n).toString(16)}/${(done & 0xffffffffn).toString(16)}`],
    );
    return moment;
  });
}
