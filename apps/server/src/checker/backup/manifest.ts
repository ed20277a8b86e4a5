import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { flushFile, writeFileAtomically } from '../../platform/write-file-atomically.ts';
import type { ChainHeads } from './chain-heads.ts';
import { damagedFileError, readFileOrRefuse } from './read-file.ts';

export const MANIFEST_FORMAT = 'sathorn-backup/1';
/** Size of a segment of the write-ahead log: initdb's default, which all our clusters use. */
export const LOG_SEGMENT_BYTES = 16 << 20;

/** A copy of the cluster's files, from which replaying the log starts. */
export interface BaseCopy {
  readonly folder: string;
  /** The log segment with which recovery begins. */
  readonly firstSegment: string;
  /** The copy is consistent once the log is replayed up to this position. */
  readonly stopLsn: string;
  readonly finishedAt: string;
  /** SHA-256 over one line per file: path, size and SHA-256. */
  readonly hash: string;
  /** SHA-256 of `backup_label` and `tablespace_map`, which are written after the copy; older backups have none. */
  readonly label?: string;
}

/** A list that only grows. Only its first `bytes` count, so a crash while it grows damages no earlier backup. */
export interface GrowingList {
  readonly bytes: number;
  readonly hash: string;
}

export interface Manifest {
  readonly v: typeof MANIFEST_FORMAT;
  /** Also the name of the replication slot that keeps the log for this backup. */
  readonly id: string;
  readonly system: string;
  readonly timeline: number;
  /** Empty until the first copy is complete. */
  readonly bases: readonly BaseCopy[];
  /** Complete segments by name, with the SHA-256 of their 16 MB. */
  readonly wal: Readonly<Record<string, string>>;
  /** The last segment, as far as it was written. */
  readonly tail: { readonly segment: string; readonly bytes: number; readonly hash: string } | null;
  /** The folder of the small files beside the database, and the SHA-256 of each by its name in a data folder. */
  readonly beside?: { readonly folder: string; readonly files: Readonly<Record<string, string>> };
  /** The moments, one line each. The hash of a line covers the hash before it and the line. */
  readonly moments?: GrowingList;
  /** The pictures of `pictures.txt`, one line each: SHA-256 and name. */
  readonly pictures?: GrowingList;
  /** The fingerprint of each secret by name, so that another platform's secrets are refused at once. */
  readonly secrets?: Readonly<Record<string, string>>;
}

export interface BackupMoment extends ChainHeads {
  /** The position up to which the log was flushed after the heads were read, and was copied. */
  readonly lsn: string;
}

const MANIFEST = 'manifest.json';
const MOMENTS = 'moments.jsonl';

/** The lines `SHA-256 name` of all pictures. */
export const PICTURE_LIST_FILE = 'pictures.txt';
/** The beginning of the names of the folders with the small files of one pass. */
export const SIDE_FOLDER_PREFIX = 'beside-';
/** The end of the name of a copy that is not complete. */
export const UNFINISHED_SUFFIX = '.part';
/** The end of the name of a copy's list of files. */
export const FILE_LIST_SUFFIX = '.files';
export const HASH_HEX_DIGITS = 64;

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** `sha256` is the hash of the rest; backups of older versions have none. */
type Kept = Manifest & { readonly sha256?: string };

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = ({ id, bases, wal, tail }: Kept): boolean =>
  typeof id === 'string' && Array.isArray(bases) && isObject(wal) && (tail === null || isObject(tail));

export function readManifest(folder: string): Manifest | null {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file)) return null;
  let kept: Kept;
  try {
    kept = JSON.parse(readFileOrRefuse(file).toString('utf8')) as Kept;
  } catch (error) {
    throw error instanceof SyntaxError ? damagedFileError(file) : error;
  }
  if (!isObject(kept)) throw damagedFileError(file);
  const { sha256: own, ...manifest } = kept;
  if (own !== undefined && own !== sha256(JSON.stringify(manifest))) throw damagedFileError(file);
  if (typeof manifest.v === 'string' && manifest.v !== MANIFEST_FORMAT)
    throw new Error(
      `${file} is ${manifest.v}, and this version reads ${MANIFEST_FORMAT}: restore with a newer version`,
    );
  if (!isWhole(kept)) throw damagedFileError(file);
  return manifest;
}

export function writeManifest(folder: string, manifest: Manifest): void {
  const kept: Kept = { ...manifest, sha256: sha256(JSON.stringify(manifest)) };
  writeFileAtomically(path.join(folder, MANIFEST), `${JSON.stringify(kept, null, 1)}\n`);
}

const NO_LINES: GrowingList = { bytes: 0, hash: '' };
const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);
const withLine = ({ bytes, hash }: GrowingList, line: string): GrowingList => ({
  bytes: bytes + Buffer.byteLength(`${line}\n`),
  hash: sha256(`${hash}${line}`),
});

/** Oldest first. Lines beyond those that the manifest covers come from an interrupted backup. */
export function readBackupMoments(folder: string, { moments: known }: Pick<Manifest, 'moments'>): BackupMoment[] {
  const file = path.join(folder, MOMENTS);
  if (known !== undefined) {
    const lines = linesOf(readFileOrRefuse(file).subarray(0, known.bytes).toString('utf8'));
    if (lines.reduce(withLine, NO_LINES).hash !== known.hash) throw damagedFileError(file);
    return lines.map((line) => JSON.parse(line) as BackupMoment);
  }
  // Older versions did not record the moments in the manifest.
  if (!existsSync(file)) return [];
  return linesOf(readFileSync(file, 'utf8')).flatMap((line) => {
    try {
      return [JSON.parse(line) as BackupMoment];
    } catch {
      return [];
    }
  });
}

/** Adds a line behind those that the manifest covers, and returns what the next manifest covers. */
export function addBackupMoment(folder: string, moment: BackupMoment, known: GrowingList | undefined): GrowingList {
  const file = path.join(folder, MOMENTS);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let before = known;
  if (before === undefined)
    before = size === 0 ? NO_LINES : linesOf(readFileSync(file, 'utf8')).reduce(withLine, NO_LINES);
  if (size < before.bytes) throw damagedFileError(file, 'is cut');
  if (size > before.bytes) truncateSync(file, before.bytes);
  const line = JSON.stringify(moment);
  appendFileSync(file, `${line}\n`, { mode: 0o600 });
  flushFile(file);
  return withLine(before, line);
}

/** 24 hex digits: the timeline and two halves of the segment number; 256 segments are 4 GB. */
export function logSegmentOf(timeline: number, lsn: bigint): string {
  const number = lsn / BigInt(LOG_SEGMENT_BYTES);
  return [BigInt(timeline), number / 256n, number % 256n]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

export function startOfSegment(segment: string): bigint {
  const [high, low] = [BigInt(`0x${segment.slice(8, 16)}`), BigInt(`0x${segment.slice(16)}`)];
  return (high * 256n + low) * BigInt(LOG_SEGMENT_BYTES);
}

export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
