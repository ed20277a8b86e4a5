import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ChainHeads } from './chain-heads.ts';
import { flush, writeWhole } from './write-whole.ts';

export const FORMAT = 'sathorn-backup/1';
/** Size of a segment of the write-ahead log: initdb's default, which all our clusters use. */
export const SEGMENT_BYTES = 16 << 20;

/** A copy of the cluster's files, from which replaying the log starts. */
export interface BaseCopy {
  readonly folder: string;
  /** The log segment with which recovery begins. */
  readonly firstSegment: string;
  /** The copy is consistent once the log is replayed up to here. */
  readonly stopLsn: string;
  readonly finishedAt: string;
  /** SHA-256 over one line per file: path, size and SHA-256. */
  readonly hash: string;
}

export interface Manifest {
  readonly v: typeof FORMAT;
  /** Also the name of the replication slot that keeps the log for it. */
  readonly id: string;
  readonly system: string;
  readonly timeline: number;
  readonly bases: readonly BaseCopy[];
  /** Complete segments by name, with the SHA-256 of their 16 MB. */
  readonly wal: Readonly<Record<string, string>>;
  /** The last segment, as far as it was written. */
  readonly tail: { readonly segment: string; readonly bytes: number; readonly hash: string } | null;
}

export interface Moment extends ChainHeads {
  /** The log was flushed up to here after the heads were read, and is copied. */
  readonly lsn: string;
}

const MANIFEST = 'manifest.json';
const MOMENTS = 'moments.jsonl';

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

export function readManifest(folder: string): Manifest | null {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file)) return null;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  if (manifest.v !== FORMAT) throw new Error(`${file} is ${manifest.v}, and this version reads ${FORMAT}`);
  return manifest;
}

export function writeManifest(folder: string, manifest: Manifest): void {
  writeWhole(path.join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Oldest first. A line that a crash cut off can only be the last one, and is ignored. */
export function readMoments(folder: string): Moment[] {
  const file = path.join(folder, MOMENTS);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Moment];
      } catch {
        return [];
      }
    });
}

export function addMoment(folder: string, moment: Moment): void {
  const file = path.join(folder, MOMENTS);
  appendFileSync(file, `${JSON.stringify(moment)}\n`, { mode: 0o600 });
  flush(file);
}

/** 24 hex digits: the timeline and two halves of the segment number; 256 segments are 4 GB. */
export function segmentOf(timeline: number, lsn: bigint): string {
  const number = lsn / BigInt(SEGMENT_BYTES);
  return [BigInt(timeline), number / 256n, number % 256n]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

export function startOfSegment(segment: string): bigint {
  const [high, low] = [BigInt(`0x${segment.slice(8, 16)}`), BigInt(`0x${segment.slice(16)}`)];
  return (high * 256n + low) * BigInt(SEGMENT_BYTES);
}

export function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
