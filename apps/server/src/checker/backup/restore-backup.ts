import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { COIN_CODES } from '@sathorn/money';
import type pg from 'pg';
import { readKeptTick } from '../../exchange/market/index.ts';
import { hasDepositAddresses } from '../../money/chain/index.ts';
import {
  type ClusterLocation,
  locateCluster,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
  stopAbandonedPostgres,
} from '../../platform/database/index.ts';
import { lockDataDir, restoreMarkerOf } from '../../platform/lock-data-dir.ts';
import { listSecretFiles, readSecrets, type Secrets, secretsFolder } from '../../platform/secrets.ts';
import { markMemoryRestored, memoryFileOf } from '../checker/index.ts';
import { BACKUP_LABEL_FILE, copyCluster, TABLESPACE_MAP_FILE, WALLET_ADDRESS_FILE, WALLET_KEY_FILE } from './backup.ts';
import { assertDiskSpace } from './backup-folder.ts';
import { restoreSecrets } from './carry-secrets.ts';
import { type ChainHeads, describeMissingHeads, readChainHeads, withOwnerClient } from './chain-heads.ts';
import {
  assertSecrets,
  assertWalletKey,
  type Backup,
  bytesToRestore,
  checkBackup,
  listPictures,
  listSideFiles,
  readBackup,
  readLogSegments,
  sideFolderOf,
} from './check-backup.ts';
import type { BackupMoment, BaseCopy } from './manifest.ts';

interface RestoreOptions {
  readonly folder: string;
  /** Empty except for the secrets and `signer/keys.json`, which a backup does not contain. */
  readonly dataDir: string;
  /** Restores everything up to this time; without it, everything in the backup. */
  readonly to?: Date;
  /** The folder to which the secrets were copied; without it they are in `dataDir` already. */
  readonly secretsFrom?: string;
  readonly print: (line: string) => void;
}

export interface RestoredBackup {
  /** The heads of the restored books and chains. */
  readonly heads: ChainHeads;
  /** The newest moment recorded in the backup. */
  readonly known: BackupMoment;
  /** Transfers and ticks that were acknowledged by then but that the restored database lacks, in words. */
  readonly missing: readonly string[];
}

/** Files that a restore keeps: what the operator has put into the folder, and the lock. */
const BROUGHT = ['secrets', 'secrets.json', path.dirname(WALLET_KEY_FILE), 'server.lock', 'server.lock-journal'];

function assertEmpty(dataDir: string): void {
  const found = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !BROUGHT.includes(name)) : [];
  if (found.length > 0) throw new Error(`${dataDir} is not empty (${found.join(', ')}): restore into an empty folder`);
}

function assertSecretsHere(dataDir: string): void {
  if (listSecretFiles(dataDir).length === 0)
    throw new Error(
      `the secrets (${secretsFolder(dataDir)}) are missing: they are kept apart from the backup, and without them nothing here can be opened. Put them there first`,
    );
}

/** Removes everything that a restore wrote but nothing that was brought; the marker last. */
async function undoRestore(dataDir: string, print: (line: string) => void): Promise<void> {
  await stopAbandonedPostgres({ dataDir, print });
  const { cluster } = locateCluster({ dataDir, print: () => undefined });
  for (const folder of [cluster, stagingOf(cluster)]) rmSync(folder, { recursive: true, force: true });
  for (const name of readdirSync(dataDir))
    if (!BROUGHT.includes(name) && path.join(dataDir, name) !== restoreMarkerOf(dataDir))
      rmSync(path.join(dataDir, name), { recursive: true, force: true });
  const brought = path.basename(WALLET_KEY_FILE);
  const signer = path.join(dataDir, path.dirname(WALLET_KEY_FILE));
  if (existsSync(signer))
    for (const name of readdirSync(signer))
      if (name !== brought) rmSync(path.join(signer, name), { recursive: true, force: true });
  rmSync(restoreMarkerOf(dataDir), { force: true });
}

function giveTo(root: string, ids: { uid?: number; gid?: number }): void {
  const { uid, gid } = ids;
  if (uid === undefined || gid === undefined) return;
  chownSync(root, uid, gid);
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(root, name), uid, gid);
}

/**
 * Checks every recorded moment up to the restored end: the tick with that number must have that hash, in
 * the table or in a segment.
 */
async function assertHeads(
  connection: Parameters<typeof openDatabase>[0],
  heads: ChainHeads,
  moments: readonly BackupMoment[],
): Promise<void> {
  const database = openDatabase(connection, { connections: 2 });
  try {
    for (const moment of moments) {
      if (describeMissingHeads(heads, moment).length > 0) continue;
      for (const coin of COIN_CODES) {
        const wanted = moment.ticks[coin];
        if (wanted === undefined) continue;
        const tick = await readKeptTick(database, coin, BigInt(wanted.sequence));
        if (tick?.text.hash !== wanted.hash)
          throw new Error(`tick ${wanted.sequence} of ${coin} is not the one that the backup noted at ${moment.at}`);
      }
    }
  } finally {
    await database.close();
  }
}

const stagingOf = (cluster: string): string => `${cluster}-log`;

const sequencesOf = ({ ticks }: ChainHeads): string =>
  JSON.stringify(Object.fromEntries(Object.entries(ticks).map(([coin, head]) => [coin, head.sequence])));

/** Quotes a text for a shell command within a setting of PostgreSQL, in which a percent sign is special. */
const quoted = (text: string): string => `'${text.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'`;

/** The time of the newest record, by the database's clock. */
async function endOf(client: pg.ClientBase): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>(
    `SELECT greatest((SELECT max(at) FROM market.head), (SELECT at FROM ledger.transfer ORDER BY sequence DESC LIMIT 1)) AS at`,
  );
  return rows[0]?.at ?? new Date(0);
}

/** The log may contain commits of the same instant in another order than their times. */
const ORDER_OF_COMMITS_MS = 1_000;
/** Maximum number of recorded moments to check. A few suffice, because each covers the whole chain before it. */
const CHECKED_MAX = 200;

/**
 * Creates a data folder from a backup, up to its last record or to a given moment. Everything is checked before
 * anything is written, and a failed restore removes what it wrote. Checks the result against the chain heads recorded
 * in the backup, and reports what is missing.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { folder, dataDir, to, print } = options;
  const { manifest, moments, known } = readBackup(folder);
  if (to !== undefined && to > new Date(known.at))
    throw new Error(`the backup ends at ${known.at}: leave --to out to restore all of it`);
  const lock = await lockDataDir(dataDir);
  let takeBack: () => void = () => undefined;
  try {
    if (existsSync(restoreMarkerOf(dataDir))) {
      print('Removing what an interrupted restore left …');
      await undoRestore(dataDir, print);
    }
    assertEmpty(dataDir);
    if (options.secretsFrom !== undefined) takeBack = restoreSecrets(options.secretsFrom, dataDir);
    assertSecretsHere(dataDir);
    const beside = sideFolderOf(folder, manifest);
    await assertWalletKey(folder, manifest, dataDir);
    // Never generates a key that this backup's platform had: a new one could open nothing in the backup.
    const secrets = readSecrets(dataDir, { print, existed: Object.keys(manifest.secrets ?? {}) });
    assertSecrets(manifest, secrets, dataDir, print);
    print('Checking the backup …');
    const base = checkBackup(folder, manifest, to, print);
    const place = locateCluster({ dataDir, print });
    if (existsSync(place.cluster)) throw new Error(`${place.cluster} exists: this data folder has a database already`);
    assertDiskSpace(dataDir, bytesToRestore(folder, manifest, base));
    writeFileSync(restoreMarkerOf(dataDir), '');
    try {
      const restored = await restoreChecked({ ...options, manifest, moments, known, beside, base, secrets, place });
      rmSync(restoreMarkerOf(dataDir));
      return restored;
    } catch (error) {
      await undoRestore(dataDir, print);
      throw error;
    }
  } catch (error) {
    takeBack();
    throw error;
  } finally {
    await lock.release();
  }
}

/** Called on a signal. A restore that has not begun to write has nothing to undo. */
export async function undoInterruptedRestore(dataDir: string): Promise<void> {
  if (existsSync(restoreMarkerOf(dataDir))) await undoRestore(dataDir, () => undefined);
}

/** Programs that copy backups leave out empty folders, and PostgreSQL does not start without these. */
const EMPTY_FOLDERS = [
  ...['commit_ts', 'dynshmem', 'logical/mappings', 'logical/snapshots', 'notify', 'replslot', 'serial', 'snapshots'],
  ...['stat', 'stat_tmp', 'subtrans', 'tblspc', 'twophase', 'wal/archive_status'],
].map((name) => `pg_${name}`);

function copyInto(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

interface Checked extends RestoreOptions, Backup {
  readonly beside: string;
  readonly base: BaseCopy;
  readonly secrets: Secrets;
  readonly place: ClusterLocation;
}

async function restoreChecked(checked: Checked): Promise<RestoredBackup> {
  const { folder, dataDir, to, print, manifest, moments, known, beside, base, secrets, place } = checked;
  print(`Copying ${base.folder} of ${base.finishedAt} …`);
  const staging = stagingOf(place.cluster);
  rmSync(staging, { recursive: true, force: true });
  // The database's own user must be able to enter the parent folders.
  mkdirSync(place.cluster, { recursive: true });
  for (const name of EMPTY_FOLDERS) mkdirSync(path.join(place.cluster, name), { recursive: true, mode: 0o700 });
  copyCluster(path.join(folder, base.folder), place.cluster);
  for (const name of [BACKUP_LABEL_FILE, TABLESPACE_MAP_FILE]) {
    const from = path.join(folder, base.folder, name);
    if (existsSync(from)) copyFileSync(from, path.join(place.cluster, name));
  }
  chmodSync(place.cluster, 0o700);
  writeFileSync(path.join(place.cluster, 'recovery.signal'), '');
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  for (const { segment, bytes } of readLogSegments(folder, manifest, base))
    writeFileSync(path.join(staging, segment), bytes, { mode: 0o600 });
  giveTo(place.cluster, place.ids);
  giveTo(staging, place.ids);
  const pictures = listPictures(folder, manifest)?.map(([name]) => path.join('files', name));
  if (pictures === undefined && existsSync(path.join(folder, 'files')))
    cpSync(path.join(folder, 'files'), path.join(dataDir, 'files'), { recursive: true });
  for (const name of pictures ?? []) copyInto(path.join(folder, name), path.join(dataDir, name));
  for (const name of listSideFiles(folder, manifest)) copyInto(path.join(beside, name), path.join(dataDir, name));

  print(`Replaying the log up to ${to?.toISOString() ?? `its end at ${known.at}`} …`);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password: secrets.databaseOwner.toString('hex'),
    print,
    settings: {
      hot_standby: 'off',
      restore_command: `cp ${quoted(staging)}/%f "%p"`,
      recovery_target_timeline: 'current',
      ...(to && {
        recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
        recovery_target_action: 'promote',
      }),
    },
  });
  try {
    const heads = await withOwnerClient(postgres.owner, readChainHeads);
    if (
      !existsSync(path.join(dataDir, WALLET_KEY_FILE)) &&
      (await withOwnerClient(postgres.owner, hasDepositAddresses))
    ) {
      // An older backup does not name its wallet. While this file exists, the server refuses to generate a new wallet
      // key.
      mkdirSync(path.join(dataDir, path.dirname(WALLET_KEY_FILE)), { recursive: true, mode: 0o700 });
      writeFileSync(path.join(dataDir, WALLET_ADDRESS_FILE), '{"hot":null}\n');
      print(
        `${path.join(dataDir, WALLET_KEY_FILE)} is missing, the key of the house's wallet: put it there before the start.`,
      );
    }
    const missing = describeMissingHeads(heads, known);
    const wanted =
      to === undefined ? known : moments.findLast(({ at }) => Date.parse(at) <= to.getTime() - ORDER_OF_COMMITS_MS);
    const lost = wanted === undefined ? [] : describeMissingHeads(heads, wanted);
    if (wanted !== undefined && lost.length > 0)
      throw new Error(`the log of the backup ends too early: ${lost.join(', ')} of ${wanted.at} are not in it`);
    const every = Math.ceil(moments.length / CHECKED_MAX);
    await assertHeads(
      postgres.owner,
      heads,
      moments.filter((_, nth) => nth % every === 0 || nth === moments.length - 1),
    );
    await migrate(postgres.owner);
    await withOwnerClient(postgres.owner, async (client) => {
      const { rows } = await client.query<{ endsAt: string }>(
        `INSERT INTO proofs.restoration (ends_at, known_at, transfers, known_transfers, ticks, known_ticks) VALUES ($1, $2, $3, $4, $5, $6)
         RETURNING to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "endsAt"`,
        [await endOf(client), known.at, heads.transfers, known.transfers, sequencesOf(heads), sequencesOf(known)],
      );
      markMemoryRestored(memoryFileOf(dataDir, postgres.owner), {
        transfers: String(heads.transfers),
        endsAt: rows[0]?.endsAt ?? '',
      });
    });
    return { heads, known, missing };
  } finally {
    await postgres.stop();
    rmSync(staging, { recursive: true, force: true });
  }
}
