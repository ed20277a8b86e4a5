import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { COIN_CODES } from '@sathorn/money';
import type pg from 'pg';
import { hasAddresses } from '../chain/index.ts';
import { markRestored, memoryFile } from '../checker/index.ts';
import { locateCluster, migrate, openDatabase, startEmbeddedPostgres } from '../database/index.ts';
import { readKeptTick } from '../market/index.ts';
import { listSecretFiles, readSecrets, secretsFolder } from '../secrets.ts';
import { FILES_BESIDE, listFiles, WALLET_ADDRESS, WALLET_KEY } from './backup.ts';
import { type ChainHeads, missingFrom, readHeads, withOwner } from './chain-heads.ts';
import {
  type BaseCopy,
  type Manifest,
  type Moment,
  readManifest,
  readMoments,
  SEGMENT_BYTES,
  segmentOf,
  sha256,
  startOfSegment,
} from './manifest.ts';

export interface RestoreOptions {
  readonly folder: string;
  /** Empty except for the secrets and `signer/keys.json`, which a backup does not contain. */
  readonly dataDir: string;
  /** Restores everything up to this time; without it, everything in the backup. */
  readonly to?: Date;
  readonly print: (line: string) => void;
}

export interface Restored {
  /** The heads of the restored books and chains. */
  readonly heads: ChainHeads;
  /** The newest moment recorded in the backup. */
  readonly known: Moment;
  /** What was acknowledged by then but is missing from the restored database. */
  readonly missing: readonly string[];
}

function assertEmpty(dataDir: string): void {
  const kept = ['secrets', 'secrets.json', path.dirname(WALLET_KEY)];
  const found = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !kept.includes(name)) : [];
  if (found.length > 0) throw new Error(`${dataDir} is not empty (${found.join(', ')}): restore into an empty folder`);
  if (listSecretFiles(dataDir).length === 0)
    throw new Error(
      `the secrets (${secretsFolder(dataDir)}) are missing: they are kept apart from the backup, and without them nothing here can be opened. Put them there first`,
    );
}

/** Without the key a start would make another wallet, and the money of this one could not be spent. */
function assertWalletKey(dataDir: string): void {
  const file = path.join(dataDir, WALLET_KEY);
  if (!existsSync(file))
    throw new Error(
      `${file} is missing, the key of the house's wallet: it is kept with the secrets as signer-keys.json. Put it there first`,
    );
}

/** The newest copy that was complete at that time. */
function baseFor(manifest: Manifest, to: Date | undefined): BaseCopy {
  const base = manifest.bases.findLast(({ finishedAt }) => to === undefined || new Date(finishedAt) <= to);
  if (base === undefined)
    throw new Error(`the backup begins at ${manifest.bases[0]?.finishedAt ?? 'no time'}, after ${to?.toISOString()}`);
  return base;
}

/** Unpacks the log from the base on and checks each segment against the manifest; the last one is padded with zeros. */
function unpackLog(folder: string, manifest: Manifest, base: BaseCopy, staging: string): void {
  const { tail, timeline } = manifest;
  if (tail === null) throw new Error('the backup has no log (WAL) after its copy');
  const check = (segment: string, bytes: Buffer, hash: string | undefined): void => {
    if (hash !== sha256(bytes)) throw new Error(`the log ${segment} of the backup is damaged or missing`);
  };
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  for (let at = startOfSegment(base.firstSegment); at < startOfSegment(tail.segment); at += BigInt(SEGMENT_BYTES)) {
    const segment = segmentOf(timeline, at);
    const bytes = zstdDecompressSync(readFileSync(path.join(folder, 'wal', `${segment}.zst`)), {
      maxOutputLength: SEGMENT_BYTES,
    });
    check(segment, bytes, manifest.wal[segment]);
    writeFileSync(path.join(staging, segment), bytes, { mode: 0o600 });
  }
  const part = readFileSync(path.join(folder, 'wal', `${tail.segment}.tail`));
  check(tail.segment, part, tail.hash);
  writeFileSync(path.join(staging, tail.segment), Buffer.concat([part, Buffer.alloc(SEGMENT_BYTES - part.length)]), {
    mode: 0o600,
  });
}

function giveTo(root: string, ids: { uid?: number; gid?: number }): void {
  const { uid, gid } = ids;
  if (uid === undefined || gid === undefined) return;
  chownSync(root, uid, gid);
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(root, name), uid, gid);
}

/**
 * Checks every recorded moment up to the restored end: the tick with that number must have that hash, in the table or
 * in a segment.
 */
async function assertHeads(
  connection: Parameters<typeof openDatabase>[0],
  heads: ChainHeads,
  moments: readonly Moment[],
): Promise<void> {
  const database = openDatabase(connection, { connections: 2 });
  try {
    for (const moment of moments) {
      if (missingFrom(heads, moment).length > 0) continue;
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

const sequencesOf = ({ ticks }: ChainHeads): string =>
  JSON.stringify(Object.fromEntries(Object.entries(ticks).map(([coin, head]) => [coin, head.sequence])));

/** Quotes a text for a shell command within a setting in which a percent sign has a meaning. */
const quoted = (text: string): string => `'${text.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'`;

/** The time of the newest record, by the database's clock. */
async function endOf(client: pg.ClientBase): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>(
    `SELECT greatest((SELECT max(at) FROM market.head), (SELECT at FROM ledger.transfer ORDER BY sequence DESC LIMIT 1)) AS at`,
  );
  return rows[0]?.at ?? new Date(0);
}

/** Commits of the same instant may be in the log in another order than their times. */
const ORDER_OF_COMMITS_MS = 1_000;
/** How many recorded moments are checked. A few suffice, because each covers the whole chain before it. */
const CHECKED_MAX = 200;

/**
 * Creates a data folder from a backup, up to its last record or to a given moment. Checks it against the chain heads
 * recorded in the backup, and reports what is missing.
 */
export async function restore({ folder, dataDir, to, print }: RestoreOptions): Promise<Restored> {
  const manifest = readManifest(folder);
  const moments = readMoments(folder);
  const known = moments.at(-1);
  if (manifest === null || known === undefined) throw new Error(`${folder} is not a backup`);
  if (to !== undefined && to > new Date(known.at))
    throw new Error(`the backup ends at ${known.at}: leave --to out to restore all of it`);
  assertEmpty(dataDir);
  if (existsSync(path.join(folder, WALLET_ADDRESS))) assertWalletKey(dataDir);
  const secrets = readSecrets(dataDir, { print });
  const base = baseFor(manifest, to);

  print(`Checking and copying ${base.folder} of ${base.finishedAt} …`);
  const from = path.join(folder, base.folder);
  if (sha256(listFiles(from).join('\n')) !== base.hash)
    throw new Error(`${from} is damaged: its files differ from those that were copied`);
  const place = locateCluster({ dataDir, print });
  if (existsSync(place.cluster)) throw new Error(`${place.cluster} exists: this data folder has a database already`);
  const staging = `${place.cluster}-log`;
  rmSync(staging, { recursive: true, force: true });
  cpSync(from, place.cluster, { recursive: true });
  chmodSync(place.cluster, 0o700);
  mkdirSync(path.join(place.cluster, 'pg_wal'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(place.cluster, 'recovery.signal'), '');
  unpackLog(folder, manifest, base, staging);
  giveTo(place.cluster, place.ids);
  giveTo(staging, place.ids);
  if (existsSync(path.join(folder, 'files')))
    cpSync(path.join(folder, 'files'), path.join(dataDir, 'files'), { recursive: true });
  for (const name of FILES_BESIDE)
    if (existsSync(path.join(folder, name))) {
      mkdirSync(path.dirname(path.join(dataDir, name)), { recursive: true, mode: 0o700 });
      cpSync(path.join(folder, name), path.join(dataDir, name));
    }

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
    const heads = await withOwner(postgres.owner, readHeads);
    if (!existsSync(path.join(dataDir, WALLET_KEY)) && (await withOwner(postgres.owner, hasAddresses))) {
      // An older backup does not name its wallet. The start then refuses to make a key.
      mkdirSync(path.join(dataDir, path.dirname(WALLET_KEY)), { recursive: true, mode: 0o700 });
      writeFileSync(path.join(dataDir, WALLET_ADDRESS), '{"hot":null}\n');
      print(
        `${path.join(dataDir, WALLET_KEY)} is missing, the key of the house's wallet: put it there before the start.`,
      );
    }
    const missing = missingFrom(heads, known);
    const wanted =
      to === undefined ? known : moments.findLast(({ at }) => Date.parse(at) <= to.getTime() - ORDER_OF_COMMITS_MS);
    const lost = wanted === undefined ? [] : missingFrom(heads, wanted);
    if (wanted !== undefined && lost.length > 0)
      throw new Error(`the log of the backup ends too early: ${lost.join(', ')} of ${wanted.at} are not in it`);
    const every = Math.ceil(moments.length / CHECKED_MAX);
    await assertHeads(
      postgres.owner,
      heads,
      moments.filter((_, nth) => nth % every === 0 || nth === moments.length - 1),
    );
    await migrate(postgres.owner);
    await withOwner(postgres.owner, async (client) => {
      const { rows } = await client.query<{ endsAt: string }>(
        `INSERT INTO proofs.restoration (ends_at, known_at, transfers, known_transfers, ticks, known_ticks) VALUES ($1, $2, $3, $4, $5, $6)
         RETURNING to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "endsAt"`,
        [await endOf(client), known.at, heads.transfers, known.transfers, sequencesOf(heads), sequencesOf(known)],
      );
      markRestored(memoryFile(dataDir, postgres.owner), {
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
